import { basename, dirname, extname, resolve } from "node:path";
import { createContext, Script } from "node:vm";

import { readFigure } from "@troupe/checks";
import { clip, InputError, meantIssues, outcomeSchema, suggestNames } from "@troupe/core";
import { isMap, isNode, LineCounter, parseDocument, visit, type Document } from "yaml";
import { z } from "zod";

import { readPlainFile } from "../../adapters/read-plain-file.ts";
import type { CliContext } from "../context.ts";

const MAX_BYTES = 2_000_000;
const MAX_CASES = 1_000;
const MAX_TOLD = 10;
/** Characters of a message about a file. */
const MAX_MESSAGE = 160;
/** Milliseconds that a regular expression may take on one text. */
const MAX_MATCH_MS = 1_000;

/** `/words? and more/i` */
const REGEX = /^\/(.+)\/([dgimsuvy]*)$/s;

const text = z.string().trim().min(1, "must not be empty").max(2_000);
const count = z.int().nonnegative();

/** The regular expression that a text is, its error, or undefined for plain words. Case does not count. */
function regexIn(written: string): RegExp | Error | undefined {
  const [, source, flags = ""] = REGEX.exec(written) ?? [];
  if (source === undefined) return undefined;
  try {
    return new RegExp(source, [...new Set(`${flags.replaceAll(/[gy]/g, "")}i`)].join(""));
  } catch (error) {
    return error as Error;
  }
}

/** A text that is looked for, or a regular expression. */
const pattern = text.superRefine((value, context) => {
  const regex = regexIn(value);
  if (regex instanceof Error)
    // The message begins with the expression, which may be long.
    context.addIssue({
      code: "custom",
      message: `is no regular expression: ${regex.message.split(": ").at(-1) ?? ""}`,
    });
});

const range = z
  .union([
    count,
    z
      .strictObject({ min: count.optional(), max: count.optional() })
      .refine(({ min, max }) => min !== undefined || max !== undefined, "needs min or max"),
  ])
  .transform((value) => (typeof value === "number" ? { min: value, max: value } : value));

const tolerance = z
  .union([
    z.number().nonnegative(),
    z.string().regex(/^\d+(?:\.\d+)?\s?%$/, 'must be a number or such as "2 %"'),
  ])
  .transform((value) =>
    typeof value === "number" ? { amount: value } : { share: Number.parseFloat(value) / 100 },
  );

/** `1900000`, `EUR 1.9 million`, or a mapping with value, unit and tolerance. */
const figure = z
  .union([
    z.number(),
    text,
    z.strictObject({
      value: z.union([z.number(), text]),
      unit: text.optional(),
      tolerance: tolerance.optional(),
    }),
  ])
  .transform((given, context) => {
    const parts = typeof given === "object" ? given : { value: given };
    const read = typeof parts.value === "number" ? { value: parts.value } : readFigure(parts.value);
    if (read !== undefined)
      return {
        ...read,
        ...(parts.unit === undefined ? {} : { unit: parts.unit }),
        ...(parts.tolerance === undefined ? {} : { tolerance: parts.tolerance }),
      };
    context.addIssue({ code: "custom", message: `"${parts.value}" is not one number` });
    return z.NEVER;
  });

const citation = z
  .union([text, z.strictObject({ document: text, page: z.int().positive().optional() })])
  .transform((given): { readonly document: string; readonly page?: number | undefined } =>
    typeof given === "string" ? { document: given } : given,
  );

const citations = z
  .union([
    z.array(citation),
    z.strictObject({ min: count.optional(), documents: z.array(citation).default([]) }),
  ])
  .transform((given) => (Array.isArray(given) ? { documents: given } : given));

const agents = z
  .union([z.array(text), z.strictObject({ include: z.array(text).min(1) })])
  .transform((given) =>
    Array.isArray(given) ? { isExact: true, names: given } : { isExact: false, names: given.include },
  );

const deck = z.strictObject({
  slides: range.optional(),
  titles: z.array(pattern).optional(),
  charts: range.optional(),
  verified: z.literal(true).optional(),
  lint: z.literal(true).optional(),
});

const expectations = z.strictObject({
  facts: z.array(z.union([pattern, z.array(pattern).min(1)])).optional(),
  not: z.array(pattern).optional(),
  numbers: z.array(figure).optional(),
  citations: citations.optional(),
  refusal: z.boolean().optional(),
  agents: agents.optional(),
  steps: range.optional(),
  outcome: z
    .union([outcomeSchema, z.array(outcomeSchema).min(1)])
    .transform((given) => (typeof given === "string" ? [given] : given))
    .optional(),
  charts: range.optional(),
  verified: z.literal(true).optional(),
  deck: deck.optional(),
  max_calls: count.optional(),
  max_tokens: count.optional(),
  max_seconds: z.number().positive().optional(),
});

const turn = z.strictObject({
  request: text,
  expect: expectations.optional(),
  /** The given answer: the planner sees the turn, and it is not run. */
  answer: z.string().max(10_000).optional(),
  agents: z.array(text).optional(),
});

const evalCase = z.strictObject({
  id: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u, "must be letters, digits, dots, dashes"),
  request: text.optional(),
  turns: z.array(turn).min(1).max(20).optional(),
  expect: expectations.optional(),
  collection: text.optional(),
  plan_only: z.boolean().optional(),
  repeats: z.int().min(1).max(100).optional(),
  timeout_seconds: z.number().positive().optional(),
});

const SHARE_RULE = 'must be between 0 and 1, or such as "90 %"';
const share = z
  .union([
    z.number().min(0, SHARE_RULE).max(1, SHARE_RULE),
    z.string().regex(/^(?:100|\d{1,2}(?:\.\d+)?)\s?%$/, SHARE_RULE),
  ])
  .transform((given) => (typeof given === "number" ? given : Number.parseFloat(given) / 100));

const evalFile = z.strictObject({
  version: z.literal(1, { error: "must be 1" }),
  name: text,
  description: z.string().optional(),
  collection: text.optional(),
  ingest: z.array(text).min(1).optional(),
  plan_only: z.boolean().default(false),
  repeats: z.int().min(1).max(100).default(1),
  threshold: share.default(1),
  concurrency: z.int().min(1).max(32).default(2),
  timeout_seconds: z.number().positive().default(300),
  expect: expectations.default({}),
  cases: z.array(evalCase).min(1).max(MAX_CASES),
});

export type Expectations = z.output<typeof expectations>;
export type Figure = z.output<typeof figure>;
export type Range = z.output<typeof range>;

export interface EvalTurn {
  readonly request: string;
  readonly expect: Expectations;
}

/** A turn with a given answer, which the planner sees and which is not run. */
export interface GivenTurn {
  readonly request: string;
  readonly answer: string;
  readonly agents: readonly string[];
}

export interface EvalCase {
  readonly id: string;
  /** Turns before them, for the planner. */
  readonly given: readonly GivenTurn[];
  /** Asked one after the other in one conversation. */
  readonly turns: readonly EvalTurn[];
  readonly collection?: string;
  readonly planOnly: boolean;
  readonly repeats: number;
  /** Of one turn. */
  readonly timeoutMs: number;
}

export interface EvalFile {
  readonly name: string;
  /** Absolute paths of the files and folders that are ingested first. */
  readonly ingest: readonly string[];
  readonly collection?: string;
  /** Share of the attempts that have to pass. */
  readonly threshold: number;
  readonly concurrency: number;
  readonly cases: readonly EvalCase[];
  /** The first line of the file with each regular expression. */
  readonly lines: ReadonlyMap<string, number>;
}

/**
 * Reads an eval file, in YAML or JSON. Throws an `InputError` that names the line and the place of each problem.
 */
export function readEvalFile({ cwd }: Pick<CliContext, "cwd">, file: string): EvalFile {
  const path = resolve(cwd, file);
  const source = readPlainFile(path, { maxBytes: MAX_BYTES, what: "an eval file", shown: file });
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const [broken] = document.errors;
  if (broken !== undefined)
    throw invalid(file, [`line ${lines.linePos(broken.pos[0]).line}: ${clip(broken.message, MAX_MESSAGE)}`]);
  const value = valueOf(document, file);
  const parsed = evalFile.safeParse(value);
  const issues = parsed.success
    ? rulesBroken(parsed.data)
    : parsed.error.issues.flatMap(meantIssues).flatMap(problemsOf);
  if (issues.length > 0 || !parsed.success)
    throw invalid(
      file,
      issues.map(
        ({ path: at, message }) => place(at, value, lineOf(at, document, lines)) + clip(message, MAX_MESSAGE),
      ),
    );
  return { ...toEval(parsed.data, path), lines: regexLines(document, lines) };
}

function regexLines(document: Document, lines: LineCounter): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  visit(document, {
    Scalar(_, { value, range }) {
      const written = typeof value === "string" ? value.trim() : "";
      if (range && REGEX.test(written) && !found.has(written))
        found.set(written, lines.linePos(range[0]).line);
    },
  });
  return found;
}

function valueOf(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch (cause) {
    throw invalid(file, [(cause as Error).message], cause);
  }
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function problemsOf(issue: z.core.$ZodIssue): readonly Problem[] {
  const { path, message } = issue;
  if (issue.code !== "unrecognized_keys") return [{ path, message }];
  return issue.keys.map((key) => ({
    path: [...path, key],
    message: `unknown key.${suggestNames(key, KNOWN_KEYS)}`,
  }));
}

/** All keys of a file, a case, a turn, and expectations. */
export const KNOWN_KEYS = [evalFile, evalCase, turn, expectations, deck].flatMap(({ shape }) =>
  Object.keys(shape),
);

type Read = z.output<typeof evalFile>;

/** Rules that span several keys. */
function rulesBroken({ cases, plan_only: planOnly }: Read): readonly Problem[] {
  const seen = new Set<string>();
  return cases.flatMap((one, index) => {
    const at = (key: string, message: string): Problem => ({ path: ["cases", index, key], message });
    const problems: Problem[] = [];
    if (seen.has(one.id)) problems.push(at("id", "is given twice"));
    seen.add(one.id);
    if ((one.request === undefined) === (one.turns === undefined))
      problems.push(at("request", "a case has either request or turns"));
    if (one.turns !== undefined && one.expect !== undefined)
      problems.push(at("expect", "each of several turns has its own expect"));
    const given = one.turns?.map(({ answer }) => answer !== undefined) ?? [];
    if (given.includes(true) && !(one.plan_only ?? planOnly))
      problems.push(at("turns", "a turn has an answer only in a case with plan_only"));
    if (given.at(-1) === true || (given.lastIndexOf(true) > given.indexOf(false) && given.includes(false)))
      problems.push(at("turns", "turns with an answer come first, and one without follows"));
    if ((one.plan_only ?? planOnly) && given.filter((isGiven) => !isGiven).length > 1)
      problems.push(at("turns", "with plan_only nothing is run, so earlier turns need an answer"));
    return problems;
  });
}

function toEval(read: Read, path: string): Omit<EvalFile, "lines"> {
  const { name, threshold, concurrency } = read;
  const ingest = (read.ingest ?? []).map((one) => resolve(dirname(path), one));
  const base = basename(path, extname(path)).replaceAll(/[^\p{L}\p{N}._-]/gu, "-");
  const own = ingest.length === 0 ? undefined : `eval-${base}`.slice(0, 64);
  const collection = read.collection ?? own;
  return {
    name,
    threshold,
    concurrency,
    ingest,
    ...(collection === undefined ? {} : { collection }),
    cases: read.cases.map((one): EvalCase => {
      const turns = one.turns ?? [{ request: one.request ?? "", expect: one.expect }];
      const where = one.collection ?? collection;
      return {
        id: one.id,
        planOnly: one.plan_only ?? read.plan_only,
        repeats: one.repeats ?? read.repeats,
        timeoutMs: (one.timeout_seconds ?? read.timeout_seconds) * 1_000,
        ...(where === undefined ? {} : { collection: where }),
        given: turns.flatMap(({ request, answer, agents: names = [] }) =>
          answer === undefined ? [] : [{ request, answer, agents: names }],
        ),
        turns: turns.flatMap(({ request, answer, expect }) =>
          answer === undefined ? [{ request, expect: { ...read.expect, ...expect } }] : [],
        ),
      };
    }),
  };
}

/** `line 4, case "holiday", expect.facts: ` */
function place(path: readonly PropertyKey[], value: unknown, line: number | undefined): string {
  const parts = line === undefined ? [] : [`line ${line}`];
  const inCase = path[0] === "cases" && typeof path[1] === "number";
  if (inCase) {
    const cases = (value as { readonly cases?: readonly unknown[] }).cases;
    const id = (cases?.[Number(path[1])] as { readonly id?: unknown } | null | undefined)?.id;
    parts.push(`case ${typeof id === "string" ? `"${clip(id, 80)}"` : Number(path[1]) + 1}`);
  }
  const rest = path.slice(inCase ? 2 : 0).map(String);
  if (rest.length > 0) parts.push(clip(rest.join("."), 120));
  return parts.length === 0 ? "" : `${parts.join(", ")}: `;
}

/** Line of the node at a path, or of the nearest one above it. */
function lineOf(path: readonly PropertyKey[], document: Document, lines: LineCounter): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const above = path.slice(0, length - 1);
    const parent: unknown = above.length === 0 ? document.contents : document.getIn(above, true);
    const key = isMap(parent)
      ? parent.items.find(({ key: one }) => isNode(one) && String(one) === path[length - 1])?.key
      : undefined;
    const node: unknown = key ?? document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

function invalid(file: string, issues: readonly string[], cause?: unknown): InputError {
  const different = [...new Set(issues)];
  const more = different.length > MAX_TOLD ? [`and ${different.length - MAX_TOLD} more`] : [];
  const told = [...different.slice(0, MAX_TOLD), ...more];
  const message = `${file} is not a valid eval file:\n${told.map((issue) => `  ${issue}`).join("\n")}`;
  return new InputError("input.invalid", message, {
    issues: told,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Thrown if a regular expression takes too long on a text, as `/(a+)+$/` may. */
export class SlowPattern extends Error {
  readonly pattern: string;

  constructor(pattern: string) {
    super(
      `${clip(pattern, 80)} takes longer than ${MAX_MATCH_MS / 1_000} s on this text; write it without a repetition inside another`,
    );
    this.pattern = pattern;
  }
}

const MATCH = new Script("regex.test(text)");

/** Throws a `SlowPattern` after a second, because a regular expression may take exponential time. */
function matches(written: string, regex: RegExp, text: string): boolean {
  try {
    return MATCH.runInContext(createContext({ regex, text }), { timeout: MAX_MATCH_MS }) === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new SlowPattern(written);
    throw error;
  }
}

/** A function that finds a pattern of the file in a text, ignoring case and spaces. It may throw a `SlowPattern`. */
export function matcherOf(written: string): (found: string) => boolean {
  const regex = regexIn(written);
  if (regex instanceof RegExp) return (found) => matches(written, regex, plain(found));
  const wanted = foldText(written);
  return (found) => foldText(found).includes(wanted);
}

const MARK = String.raw`(?:\d{1,3}|(?:chart|result)-[\w-]{1,64})`;
const MARKS = new RegExp(String.raw`\s?\[${MARK}(?:\s*[,;]\s*${MARK})*\]`, "g");

/** Removes emphasis and marks of sources, whose numbers do not belong to the answer. */
export function withoutMarks(answer: string): string {
  return answer.replaceAll(MARKS, "").replaceAll(/\*{1,3}|`/g, "");
}

/** The same on one line, with plain spaces, quotes and dashes. */
function plain(value: string): string {
  return withoutMarks(value.normalize("NFKC"))
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‐‑–—−]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const foldText = (value: string): string => plain(value).toLowerCase();
