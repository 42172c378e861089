import { answerCheck } from "@troupe/checks";
import { citationSchema, ToolError } from "@troupe/core";
import type { Citation, ResultTable } from "@troupe/stream";
import { z } from "zod";

import type { CallTool } from "../call-app.ts";
import { checkText, placeOf, readClaims, type CheckedClaim } from "../check/check-text.ts";
import { fittingEvidence } from "../check/fitting-evidence.ts";
import { readTables } from "../check/read-tables.ts";
import { readText } from "../check/read-text.ts";
import { askServers, checkCollections, listWith } from "../collections.ts";
import { contentsOf } from "../contents.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { claimsText, sentenceLines } from "../render/checks-text.ts";
import { colors } from "../render/color.ts";
import { count } from "../render/figures.ts";
import { harmless, oneLine } from "../render/harmless.ts";
import { wrapLines } from "../render/markdown-text.ts";

export interface CheckOptions {
  readonly files: readonly string[];
  readonly collection: string;
  readonly verbose: boolean;
  readonly json: boolean;
}

interface FileCheck {
  readonly file: string;
  readonly claims: readonly (CheckedClaim & { readonly place: string })[];
}

/**
 * Checks the claims of texts against a collection of documents and tables, by rules, without a model. The exit code
 * is 1 when something is not found.
 */
export async function check(context: CliContext, options: CheckOptions): Promise<number> {
  const files: { readonly file: string; readonly parts: readonly { place: string; text: string }[] }[] = [];
  for (const file of options.files) files.push({ file, parts: await readText(context.cwd, file) });
  const texts = files.map(({ file, parts }) => ({
    file,
    parts: parts.map(({ place, text }) => ({ place, ...readClaims(text, answerCheck) })),
  }));
  const sentences = new Set(texts.flatMap(({ parts }) => parts.flatMap((part) => part.sentences)));
  const { passages, tables } = await collect(context, options.collection, [...sentences]);
  const given = [new Date(context.clock.now()).toISOString().slice(0, 10)];
  const found = { ...fittingEvidence(passages, tables), given };
  const checked = texts.map(({ file, parts }): FileCheck => ({
    file,
    claims: parts.flatMap((part) =>
      checkText(part, answerCheck, found).map((claim) => ({ ...claim, place: part.place })),
    ),
  }));
  if (options.json) context.out(jsonLines(checked));
  else printed(context, checked, options);
  return checked.some(({ claims }) => claims.some(({ status }) => status === "finding"))
    ? EXIT.failed
    : EXIT.completed;
}

interface Evidence {
  readonly passages: ReadonlyMap<string, readonly Citation[]>;
  readonly tables: readonly ResultTable[];
}

/** The best passages for each sentence, and the tables. Throws an `InputError` where no server has the collection. */
async function collect(
  context: CliContext,
  collection: string,
  sentences: readonly string[],
): Promise<Evidence> {
  const answers = await askServers(context, async (call, { list, contents, search, query }) => {
    if (!(await listWith(call, list)).some(({ name }) => name === collection)) return undefined;
    const tables =
      query === undefined || contents === undefined || sentences.length === 0
        ? []
        : await readTables(call, query, collection, (await contentsOf(call, contents, collection)).tables);
    const passages =
      search === undefined ? new Map() : await searchAll(context, call, search, collection, sentences);
    return { passages, tables } satisfies Evidence;
  });
  const known = answers.flatMap((answer) => {
    if (answer.status === "rejected") throw answer.reason;
    return answer.value ?? [];
  });
  if (known.length === 0) await checkCollections(context, [collection]);
  return {
    passages: new Map(known.flatMap(({ passages }) => [...passages])),
    tables: known.flatMap(({ tables }) => tables),
  };
}

const PASSAGES = 6;
const MAX_QUERY_CHARS = 1_000;
const SEARCHES_AT_ONCE = 4;
const citationsSchema = z.array(citationSchema);

async function searchAll(
  context: CliContext,
  call: CallTool,
  tool: string,
  collection: string,
  sentences: readonly string[],
): Promise<ReadonlyMap<string, readonly Citation[]>> {
  const found = new Map<string, readonly Citation[]>();
  for (let at = 0; at < sentences.length; at += SEARCHES_AT_ONCE) {
    context.interrupted.throwIfAborted();
    context.status?.(`Searching: claim ${count(at + 1)} of ${count(sentences.length)} ...`);
    await Promise.all(
      sentences.slice(at, at + SEARCHES_AT_ONCE).map(async (sentence) => {
        const query = oneLine(sentence).slice(0, MAX_QUERY_CHARS);
        const { citations, isError, text } = await call(tool, { query, collection, limit: PASSAGES });
        if (isError === true) throw new ToolError("tool.failed", text);
        found.set(sentence, citationsSchema.parse(citations ?? []));
      }),
    );
  }
  return found;
}

/** A line for each claim, and one with their numbers last. */
function jsonLines(files: readonly FileCheck[]): string {
  const lines = files.flatMap(({ file, claims }) =>
    claims.map(({ sentence, status, finding, found, place }) => ({
      type: "claim",
      file,
      ...(place === "" ? {} : { place }),
      sentence,
      status,
      ...(finding === undefined ? {} : { finding }),
      [status === "finding" ? "closest" : "found"]: found.map(evidenceJson),
    })),
  );
  const number = (status: CheckedClaim["status"]): number =>
    lines.filter((line) => line.status === status).length;
  const counts = { verified: number("verified"), derived: number("derived"), findings: number("finding") };
  const last = { type: "result", v: 1, claims: lines.length, ...counts };
  return [...lines, last].map((line) => `${JSON.stringify(line)}\n`).join("");
}

function evidenceJson(one: Citation | ResultTable): object {
  if ("chunkId" in one) {
    const { document, source, page, pageLabel, section, quote } = one;
    return { document, source, page, pageLabel, section, quote };
  }
  return { table: one.title, source: one.source, query: one.query };
}

function printed(context: CliContext, files: readonly FileCheck[], { verbose }: CheckOptions): void {
  const { columns, color } = context.screen?.() ?? { columns: undefined, color: false };
  const paint = colors(color);
  for (const [at, { file, claims }] of files.entries()) {
    const head = files.length === 1 ? "" : `${at === 0 ? "" : "\n"}${oneLine(file)}\n`;
    const lines = claims.flatMap((claim) => {
      if (claim.status !== "finding" && !verbose) return [];
      const where = claim.found.map((one) => oneLine(placeOf(one)));
      const closest = claim.status === "finding" ? where.slice(0, 1).map((one) => `closest: ${one}`) : where;
      return sentenceLines(claim, {
        place: claim.place,
        cited: "the best passages and tables",
        more: verbose ? closest : [],
      });
    });
    const text = harmless([claimsText(claims) || "no claims to check", ...lines].join("\n"));
    const wrapped = columns === undefined ? text : wrapLines(text, columns, 4);
    context.out(`${head}${wrapped.replaceAll(/^ {2}\(!\)/gm, `  ${paint.yellow("(!)")}`)}\n`);
  }
}
