import type {
  ArtifactRef,
  ChartSpec,
  Citation,
  JsonObject,
  ResponseData,
  ResultTable,
  SentenceCheck,
} from "@troupe/stream";

import type { Abridged, StepResult } from "../ports/delegation.ts";
import { clip } from "../text/clip.ts";
import { beginningOf } from "./cut-text.ts";
import { fairShares } from "./fair-shares.ts";

/** What the results that one step is handed may have together; each gets a fair share. */
export interface ResultBounds {
  /** UTF-16 units of all answers, and of one. */
  readonly answerChars: number;
  readonly oneAnswerChars: number;
  /** Bytes as JSON. */
  readonly citationBytes: number;
  readonly chartBytes: number;
  readonly tableBytes: number;
  /** Of findings that are neither charts nor tables. */
  readonly dataBytes: number;
  readonly fileBytes: number;
}

const KIB = 1024;

/** About 30,000 tokens of answers, and at most some 2.5 MiB as a message. */
export const RESULT_BOUNDS: ResultBounds = {
  answerChars: 120_000,
  oneAnswerChars: 60_000,
  citationBytes: 512 * KIB,
  chartBytes: 1_024 * KIB,
  tableBytes: 512 * KIB,
  dataBytes: 256 * KIB,
  fileBytes: 128 * KIB,
};

/** An error's words are for one line. */
const MAX_ERROR = 2_000;

type Results = { readonly [name: string]: StepResult };

/** Of a result that was cut: the whole of what is not all handed over. */
export interface LeftOut {
  readonly answer?: string;
  readonly rest?: {
    readonly citations: readonly Citation[];
    readonly data: ResponseData | null;
    readonly artifacts: readonly ArtifactRef[];
  };
}

export interface BoundedResults {
  readonly results: Results;
  /** By the name of the result; those that are there in whole are not in it. */
  readonly leftOut: ReadonlyMap<string, LeftOut>;
}

/**
 * Results as they are handed over: of what is too much the beginning, with how much there is (`abridged`).
 * Answers end with a sentence; the citations and charts they still name are kept before others. The same
 * for the same, and what is bounded already stays as it is.
 */
export function boundResults(results: Results, bounds: ResultBounds = RESULT_BOUNDS): BoundedResults {
  const entries = Object.entries(results);
  const all = entries.map(([, result]) => result);
  const answers = fairShares(
    all.map(({ answer }) => answer.length),
    { total: bounds.answerChars, most: bounds.oneAnswerChars },
  );
  const shares = (of: (result: StepResult) => unknown, total: number) =>
    fairShares(
      all.map((result) => bytesOf(of(result))),
      { total },
    );
  const citations = shares((result) => result.citations, bounds.citationBytes);
  const charts = shares((result) => result.data?.charts ?? [], bounds.chartBytes);
  const tables = shares((result) => result.data?.tables ?? [], bounds.tableBytes);
  const data = shares((result) => otherData(result.data), bounds.dataBytes);
  const files = shares((result) => result.artifacts, bounds.fileBytes);
  const leftOut = new Map<string, LeftOut>();
  const bounded = entries.map(([name, result], i) => {
    const cut = cutResult(result, {
      answer: answers[i] ?? 0,
      citations: citations[i] ?? 0,
      charts: charts[i] ?? 0,
      tables: tables[i] ?? 0,
      data: data[i] ?? 0,
      files: files[i] ?? 0,
    });
    if (cut.leftOut !== undefined) leftOut.set(name, cut.leftOut);
    return [name, cut.result] as const;
  });
  return { results: Object.fromEntries(bounded), leftOut };
}

type Shares = { readonly [what in "answer" | "citations" | "charts" | "tables" | "data" | "files"]: number };

function cutResult(result: StepResult, shares: Shares): { result: StepResult; leftOut?: LeftOut } {
  const answer = beginningOf(result.answer, shares.answer);
  const named = new Set([...answer.matchAll(/\[([^[\]\s]{1,120})\]/g)].map(([, id = ""]) => id));
  const citations = within(result.citations, shares.citations, named);
  const allCharts = result.data?.charts ?? [];
  const charts = within(allCharts, shares.charts, named);
  const allTables = result.data?.tables ?? [];
  const tables = within(allTables, shares.tables, named);
  const other = Object.entries(otherData(result.data));
  const data = within(
    other.map(([key, value]) => ({ id: key, value })),
    shares.data,
    undefined,
    ({ id, value }) => bytesOf(id) + 1 + bytesOf(value),
  );
  const artifacts = within(result.artifacts, shares.files);
  const rest =
    citations.length + charts.length + tables.length + data.length + artifacts.length <
    result.citations.length + allCharts.length + allTables.length + other.length + result.artifacts.length;
  const error = result.error && { ...result.error, message: clip(result.error.message, MAX_ERROR) };
  const whole = answer === result.answer;
  const checks = whole ? result.checks : checksOf(answer, result.checks);
  if (whole && !rest) return { result: error === undefined ? result : { ...result, error } };
  const before = result.abridged ?? {};
  const abridged: Abridged = {
    ...before,
    ...(whole ? {} : { answerChars: before.answerChars ?? result.answer.length }),
    ...counted("citations", citations.length, result.citations.length, before),
    ...counted("charts", charts.length, allCharts.length, before),
    ...counted("tables", tables.length, allTables.length, before),
    ...counted("files", artifacts.length, result.artifacts.length, before),
    ...(data.length === other.length
      ? {}
      : { data: [...(before.data ?? []), ...keysWithout(other, data)].slice(0, MAX_KEYS) }),
  };
  // What was cut before is kept by whoever cut it; what is left of it now is no whole.
  const leftOut: LeftOut = {
    ...(whole || before.answerChars !== undefined ? {} : { answer: result.answer }),
    ...(rest && before.rest === undefined
      ? { rest: { citations: result.citations, data: result.data, artifacts: result.artifacts } }
      : {}),
  };
  return {
    result: {
      ...result,
      answer,
      citations,
      artifacts,
      data: joined(result.data, charts, tables, data),
      ...(checks === undefined ? {} : { checks }),
      ...(error === undefined ? {} : { error }),
      abridged,
    },
    ...(leftOut.answer === undefined && leftOut.rest === undefined ? {} : { leftOut }),
  };
}

/** Keys that are told; a result with more of them is told by these. */
const MAX_KEYS = 50;

function keysWithout(
  all: readonly (readonly [string, unknown])[],
  kept: readonly { readonly id: string }[],
): readonly string[] {
  const there = new Set(kept.map(({ id }) => id));
  return all.flatMap(([key]) => (there.has(key) ? [] : [clip(key, 100)]));
}

function counted(
  what: "citations" | "charts" | "tables" | "files",
  kept: number,
  there: number,
  before: Abridged,
): Abridged {
  return kept === there ? {} : { [what]: before[what] ?? there };
}

/** In their order, as many as fit: first those that are named. */
function within<T extends { readonly id: string; readonly number?: string }>(
  entries: readonly T[],
  bytes: number,
  named: ReadonlySet<string> = new Set(),
  sizeOf: (entry: T) => number = bytesOf,
): readonly T[] {
  const kept = new Set<T>();
  // Brackets, and a comma for each.
  let left = bytes - 2;
  const take = (entry: T): void => {
    const size = sizeOf(entry) + 1;
    if (size > left + 1) return;
    left -= size;
    kept.add(entry);
  };
  const isNamed = ({ id, number = id }: T): boolean => named.has(id) || named.has(number);
  for (const entry of entries) if (isNamed(entry)) take(entry);
  for (const entry of entries) if (!isNamed(entry)) take(entry);
  return kept.size === entries.length ? entries : entries.filter((entry) => kept.has(entry));
}

/** Those of what is handed over of the answer. */
function checksOf(
  answer: string,
  checks: readonly SentenceCheck[] | undefined,
): readonly SentenceCheck[] | undefined {
  return checks?.filter(({ sentence }) => answer.includes(sentence));
}

function otherData(data: ResponseData | null): JsonObject {
  const { charts: _charts, tables: _tables, ...rest } = data ?? {};
  return Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, JsonObject[string]] => entry[1] !== undefined),
  );
}

function joined(
  before: ResponseData | null,
  charts: readonly ChartSpec[],
  tables: readonly ResultTable[],
  data: readonly { readonly id: string; readonly value: JsonObject[string] }[],
): ResponseData | null {
  if (before === null) return null;
  const rest = Object.fromEntries(data.map(({ id, value }) => [id, value]));
  return {
    ...rest,
    ...(before.charts === undefined ? {} : { charts }),
    ...(before.tables === undefined ? {} : { tables }),
  };
}

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;
