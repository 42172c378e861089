import { answerCheck } from "@troupe/checks";
import { citationSchema, InputError, todayAt, ToolError } from "@troupe/core";
import type { Citation, ResultTable } from "@troupe/stream";
import { z } from "zod";

import type { CallTool } from "../call-app.ts";
import { checkText, placeOf, readClaims, type CheckedClaim, type ReadText } from "../check/check-text.ts";
import { closestText } from "../check/closest.ts";
import { linesOfSentences } from "../check/find-lines.ts";
import { fittingEvidence } from "../check/fitting-evidence.ts";
import { readTables } from "../check/read-tables.ts";
import { saysMoreThanDates } from "../check/named-periods.ts";
import { readText, type TextPart } from "../check/read-text.ts";
import { countUnchecked, uncheckedText } from "../check/unchecked-sentences.ts";
import { askServers, checkCollections, listWith } from "../collections.ts";
import { contentsOf } from "../contents.ts";
import type { CliContext } from "../context.ts";
import { EXIT, exitCodeOfError } from "../exit-codes.ts";
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
  /** It holds no text. */
  readonly isEmpty: boolean;
  readonly claims: readonly PlacedClaim[];
  /** Sentences that make no claim. */
  readonly unchecked: number;
}

interface PlacedClaim extends CheckedClaim {
  /** Empty where the file has no pages. */
  readonly place: string;
  readonly line: number | undefined;
}

interface ReadPart extends ReadText {
  readonly part: TextPart;
}

/**
 * Checks the claims of texts against a collection of documents and tables, by rules, without a model. The exit code
 * is 1 when something is not found. A file that cannot be read does not keep the others from being checked; the exit
 * code is then that of its error.
 */
export async function check(context: CliContext, options: CheckOptions): Promise<number> {
  const { texts, errors } = await readFiles(context, options.files);
  const sentences = new Set(texts.flatMap(({ parts }) => parts.flatMap((part) => part.sentences)));
  const { passages, tables } = await collect(context, options.collection, [...sentences]);
  const given = [todayAt(context.clock.now()).date];
  const found = fittingEvidence(passages, tables);
  const checked = texts.map(({ file, parts }): FileCheck => ({
    file,
    isEmpty: parts.length === 0,
    claims: parts.flatMap((read) => {
      const { part } = read;
      const claims = checkText(read, answerCheck, { ...found, given: [...given, ...(part.given ?? [])] });
      const lines = part.line === undefined ? [] : linesOfSentences(part.text, part.line, read.sentences);
      return claims.map((claim, at) => ({ ...claim, place: part.place, line: lines[at] }));
    }),
    unchecked: parts.reduce((sum, read) => sum + countUnchecked(read.text, read.sentences), 0),
  }));
  if (options.json) context.out(jsonLines(checked, errors));
  else printed(context, checked, options);
  for (const { error } of errors) context.err(`${harmless(error.message)}\n`);
  const [first] = errors;
  if (first !== undefined) return exitCodeOfError(first.error);
  return checked.some(({ claims }) => claims.some(({ status }) => status === "finding"))
    ? EXIT.failed
    : EXIT.completed;
}

interface FileError {
  readonly file: string;
  readonly error: InputError;
}

/** The claims of each file, and the files that cannot be read. Throws the error of the only file. */
async function readFiles(
  context: CliContext,
  files: readonly string[],
): Promise<{
  readonly texts: readonly { readonly file: string; readonly parts: readonly ReadPart[] }[];
  readonly errors: readonly FileError[];
}> {
  const texts: { readonly file: string; readonly parts: readonly ReadPart[] }[] = [];
  const errors: FileError[] = [];
  for (const file of files) {
    try {
      const parts = await readText(context.cwd, file);
      texts.push({ file, parts: parts.map((part) => ({ part, ...claimsOf(part) })) });
    } catch (error) {
      if (!(error instanceof InputError) || files.length === 1) throw error;
      errors.push({ file, error });
    }
  }
  return { texts, errors };
}

function claimsOf({ text, isTitle }: TextPart): ReadText {
  const read = readClaims(text, answerCheck);
  return isTitle === true ? { ...read, sentences: read.sentences.filter(saysMoreThanDates) } : read;
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

/** A line for each claim and each file that cannot be read, and one with their numbers last. */
function jsonLines(files: readonly FileCheck[], errors: readonly FileError[]): string {
  const lines = files.flatMap(({ file, claims }) =>
    claims.map(({ sentence, status, finding, found, place, line }) => ({
      type: "claim",
      file,
      ...(place === "" ? {} : { place }),
      ...(line === undefined ? {} : { line }),
      sentence,
      status,
      ...(finding === undefined ? {} : { finding }),
      [status === "finding" ? "closest" : "found"]: found.map(evidenceJson),
    })),
  );
  const number = (status: CheckedClaim["status"]): number =>
    lines.filter((line) => line.status === status).length;
  const counts = { verified: number("verified"), derived: number("derived"), findings: number("finding") };
  const unchecked = files.reduce((sum, file) => sum + file.unchecked, 0);
  const failed = errors.map(({ file, error }) => ({
    type: "error",
    file,
    code: error.code,
    message: error.message,
  }));
  const last = { type: "result", v: 1, claims: lines.length, ...counts, unchecked };
  return [...lines, ...failed, last].map((line) => `${JSON.stringify(line)}\n`).join("");
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
  const print = (text: string): void => {
    const shown = harmless(text);
    const wrapped = columns === undefined ? shown : wrapLines(shown, columns, 4);
    context.out(`${wrapped.replaceAll(/^ {2}\(!\)/gm, `  ${paint.yellow("(!)")}`)}\n`);
  };
  const isAlone = files.length === 1;
  for (const [at, file] of files.entries()) {
    const head = isAlone ? [] : [`${at === 0 ? "" : "\n"}${oneLine(file.file)}`];
    const lines = file.claims.flatMap((claim) => {
      if (claim.status !== "finding" && !verbose) return [];
      return sentenceLines(claim, {
        place: claim.line === undefined ? claim.place : `line ${claim.line}`,
        cited: "the best passages and tables",
        more:
          claim.status === "finding" ? closestLines(claim) : claim.found.map((one) => oneLine(placeOf(one))),
      });
    });
    print([...head, summary(file, isAlone ? oneLine(file.file) : ""), ...lines].join("\n"));
  }
  if (isAlone) return;
  const all = { claims: files.flatMap(({ claims }) => claims), unchecked: 0, isEmpty: false };
  for (const { unchecked } of files) all.unchecked += unchecked;
  print(`\n${count(files.length)} files, ${summary(all)}`);
}

/** `2 claims: all found in sources or data; 1 sentence states nothing that can be compared` */
function summary({ claims, unchecked, isEmpty }: Omit<FileCheck, "file">, file = ""): string {
  if (isEmpty) return file === "" ? "is empty" : `"${file}" is empty`;
  return [claimsText(claims) || "no claims to check", uncheckedText(unchecked)]
    .filter((text) => text !== "")
    .join("; ");
}

/** The place that is nearest to a claim, with its words. */
function closestLines({ found, sentence }: CheckedClaim): readonly string[] {
  const [one] = found;
  if (one === undefined) return [];
  const words = oneLine(closestText(one, sentence));
  return [`closest: ${oneLine(placeOf(one))}${words === "" ? "" : `: "${words}"`}`];
}
