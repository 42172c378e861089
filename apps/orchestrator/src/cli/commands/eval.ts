import { statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { InputError } from "@troupe/core";

import { checkCollections } from "../collections.ts";
import type { CliContext } from "../context.ts";
import { readEvalFile, type EvalCase, type EvalFile } from "../eval/eval-file.ts";
import { attemptLine, reportJson, reportJunit, sumsOf, tableText, type EvalResult } from "../eval/report.ts";
import { runCase, type Attempt } from "../eval/run-case.ts";
import { EXIT } from "../exit-codes.ts";
import { fetchOwnFiles } from "../fetch-from.ts";
import { connect } from "../follow.ts";
import { modelInUse, sayModel } from "../say-model.ts";
import { useServers } from "../servers.ts";
import { ingest } from "./ingest.ts";

export interface EvalOptions {
  readonly file: string;
  /** Ids of the cases to run; all where empty. */
  readonly only: readonly string[];
  /** Overrides the repeats of the file. */
  readonly repeats?: string;
  /** File that the results are written to. */
  readonly json?: string;
  readonly junit?: string;
  readonly quiet: boolean;
}

/**
 * Runs the cases of a file on the configured model, compares each with its expectations, and prints a table.
 * @returns 0 if the share that passed reaches the threshold, else 1; 130 when interrupted, after a partial table
 */
export async function evaluate(context: CliContext, options: EvalOptions): Promise<number> {
  const file = chosen(readEvalFile(context, options.file), options);
  const startedAt = context.clock.now();
  const collections = file.cases.flatMap(({ collection }) => collection ?? []);
  const own = file.ingest.length > 0 ? file.collection : undefined;
  await checkCollections(
    context,
    [...new Set(collections)].filter((name) => name !== own),
  );
  await takeIn(context, file, options);
  const servers = await useServers(context, { quiet: options.quiet });
  try {
    if (!options.quiet) await sayModel(context, servers.url);
    const used = await modelInUse(servers.url, context.token);
    const cases = await runAll(context, servers.url, file, options);
    const result: EvalResult = {
      file: options.file,
      name: file.name,
      model: used?.describe ?? "unknown",
      startedAt,
      threshold: file.threshold,
      cases,
      isInterrupted: context.interrupted.aborted,
    };
    context.out(tableText(result));
    if (options.json !== undefined) write(context, options.json, reportJson(result));
    if (options.junit !== undefined) write(context, options.junit, reportJunit(result));
    if (result.isInterrupted) return EXIT.interrupted;
    return sumsOf(result).isMet ? EXIT.completed : EXIT.failed;
  } finally {
    await servers.release();
  }
}

/** With the cases and repeats of the command line. Throws an `InputError` for a case that the file does not have. */
function chosen(file: EvalFile, { only, repeats }: EvalOptions): EvalFile {
  const missing = only.find((id) => !file.cases.some((one) => one.id === id));
  if (missing !== undefined)
    throw new InputError(
      "input.not-found",
      `The file has no case "${missing}". Its cases: ${file.cases.map(({ id }) => id).join(", ")}.`,
    );
  const times = repeats === undefined ? undefined : Number(repeats);
  if (times !== undefined && !(Number.isInteger(times) && times >= 1 && times <= 100))
    throw new InputError(
      "input.invalid",
      `--repeats must be a whole number from 1 to 100, not "${repeats}".`,
    );
  const cases = only.length === 0 ? file.cases : file.cases.filter(({ id }) => only.includes(id));
  return { ...file, cases: cases.map((one) => (times === undefined ? one : { ...one, repeats: times })) };
}

/** Ingests the documents and data of the file, and removes documents that are no longer in its folders. */
async function takeIn(context: CliContext, file: EvalFile, { quiet }: EvalOptions): Promise<void> {
  const { ingest: paths, collection } = file;
  if (paths.length === 0 || collection === undefined) return;
  const isFolder = (path: string): boolean =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const { reports, complete } = await ingest(context, { paths, collection, prune: paths.every(isFolder) });
  const lines = quiet ? [] : reports.map((report) => report.split("\n", 1)[0] ?? "");
  for (const line of complete ? lines : reports) context.err(`${line}\n`);
}

/** The attempts at each case, in the order of the file. Interrupted, it gives those that ended. */
async function runAll(
  context: CliContext,
  url: string,
  file: EvalFile,
  { quiet }: EvalOptions,
): Promise<EvalResult["cases"]> {
  const remote = await connect(context, url);
  const tools = { context, remote, fetch: fetchOwnFiles(context), lines: file.lines };
  const waiting = file.cases.flatMap((one) =>
    Array.from({ length: one.repeats }, (_, at) => ({
      one,
      run: one.repeats === 1 ? "" : ` (run ${at + 1})`,
    })),
  );
  const all = waiting.length;
  const ended = new Map<EvalCase, Attempt[]>(file.cases.map((one) => [one, []]));
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { one, run } = next;
      const attempt = await runCase(tools, one).catch((error: unknown) => {
        if (context.interrupted.aborted) return undefined;
        throw error;
      });
      if (attempt === undefined) return;
      ended.get(one)?.push(attempt);
      done++;
      if (!quiet) context.err(`${attemptLine({ id: one.id, run, done, all }, attempt)}\n`);
    }
  };
  await Promise.all(Array.from({ length: file.concurrency }, work));
  return file.cases.map((one) => ({ id: one.id, attempts: ended.get(one) ?? [] }));
}

function write(context: CliContext, file: string, text: string): void {
  try {
    writeFileSync(resolve(context.cwd, file), text);
  } catch (error) {
    throw new InputError("input.invalid", `"${file}" cannot be written: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
