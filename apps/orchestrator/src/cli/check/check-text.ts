import type { AnswerCheck, AnswerEvidence } from "@troupe/core";
import type { CheckFinding, Citation, ResultTable, SentenceCheck } from "@troupe/stream";

import { insertBehind } from "../render/checks-text.ts";
import { stripMarks } from "./strip-marks.ts";

/** What one sentence is compared with. */
export interface SentenceEvidence {
  /** The passages that share most words with it, best first. */
  readonly passages: readonly Citation[];
  /** The best passage with others of its document that complete it; empty where none does. */
  readonly together: readonly Citation[];
  /** The tables that share most with it, best first, with the rows that it names. */
  readonly tables: readonly ResultTable[];
  /** Such tables with further rows: only figures computed with those count. */
  readonly wholeTables: readonly ResultTable[];
  /** Sums over all rows, for a sentence that states a row and the sum it is a part of. */
  readonly totals: readonly ResultTable[];
  /** It names a row of a table, so that tables are tried before passages. */
  readonly isOfRow: boolean;
  /** It also names a column of the table: a figure computed from passages would match by accident. */
  readonly isOfTables: boolean;
  /** How many rows or values the tables have of what it names, such as `12 shops`. */
  readonly counts: readonly string[];
}

/** Where a text is looked up. */
export interface Collection {
  readonly evidenceFor: (sentence: string) => SentenceEvidence;
  /** What needs no source, such as today's date. */
  readonly given: readonly string[];
}

/** A sentence that makes a claim. */
export interface CheckedClaim extends SentenceCheck {
  /** Evidence that holds what it says; of a sentence with a finding, the best passages and tables. */
  readonly found: readonly (Citation | ResultTable)[];
}

const NOT_THERE: CheckFinding = { kind: "not-there", detail: "" };

/** Among several passages a figure is more often explained by accident. */
const BOUND = { bound: "strict" } as const;

/** A text without citation marks, and the sentences of it that make a claim. */
export interface ReadText {
  readonly text: string;
  readonly sentences: readonly string[];
}

export function readClaims(text: string, { check }: Pick<AnswerCheck, "check">): ReadText {
  const plain = stripMarks(text);
  const nothing = { citations: [], tables: [], given: [] };
  return { text: plain, sentences: check(plain, nothing).map(({ sentence }) => sentence) };
}

/**
 * Checks each claim of a text against the passages and tables of a collection that fit it best: each by itself
 * first, then those of one document together, then all of them. A claim that names a row of a table is compared with
 * that row before any passage.
 */
export function checkText(
  { text, sentences }: ReadText,
  checker: Pick<AnswerCheck, "check">,
  { evidenceFor, given }: Collection,
): readonly CheckedClaim[] {
  const ofRows = commonPassages(sentences.filter(isRow), evidenceFor);
  const blocks = blocksOf(text, sentences);
  const claims = sentences.map((sentence, at): Claim => {
    const evidence = evidenceFor(sentence);
    const passages = [...evidence.passages, ...(isRow(sentence) ? ofRows : [])];
    return { sentence, block: blocks[at] ?? sentence, evidence: { ...evidence, passages } };
  });
  const tryTables = (claim: Claim): Attempted | undefined =>
    firstThatHolds(tableAttempts(claim.evidence), claim, checker, [...given, ...claim.evidence.counts]);
  const ofTables = claims.map((claim) => (claim.evidence.isOfRow ? tryTables(claim) : undefined));
  const done = ofTables.map((tried) => (tried?.isHeld === true ? tried.claim : undefined));
  checkPassages(text, claims, done, checker, given);
  return claims.map((claim, at): CheckedClaim => {
    const { sentence, evidence } = claim;
    const before = done[at];
    if (before !== undefined && before.status !== "finding") return before;
    const { tables, passages, together, isOfRow, isOfTables } = evidence;
    const tried = isOfRow ? ofTables[at] : tryTables(claim);
    if (tried?.isHeld === true) return tried.claim;
    const all = [...new Map([...passages, ...together].map((one) => [keyOf(one), one])).values()];
    const last =
      tables.length === 0 || all.length === 0
        ? undefined
        : firstThatHolds(
            [
              {
                evidence: isOfTables ? [...tables, ...all] : [...all, ...tables],
                ...(isOfTables ? { only: "verified" } : {}),
              },
            ],
            claim,
            checker,
            [...given, ...evidence.counts],
          );
    const ofTable = isOfRow && passages.length > 0 ? undefined : tried?.claim;
    return last?.claim ?? before ?? ofTable ?? { sentence, status: "finding", finding: NOT_THERE, found: [] };
  });
}

interface Claim {
  readonly sentence: string;
  /** The paragraph, list or table that it stands in. */
  readonly block: string;
  readonly evidence: SentenceEvidence;
}

interface Attempt {
  readonly evidence: readonly (Citation | ResultTable)[];
  /** Counts only where a figure is computed (`derived`), or only where none is. */
  readonly only?: "derived" | "verified";
}

interface Attempted {
  readonly isHeld: boolean;
  readonly claim: CheckedClaim;
}

function tableAttempts({ tables, wholeTables, totals }: SentenceEvidence): readonly Attempt[] {
  const together: Attempt = {
    evidence: tables,
    ...(tables.some(hasShares) ? { only: "verified" } : {}),
  };
  return [
    // With one row and its shares there is nothing to compute: a computed figure would match by accident.
    ...tables.map((table): Attempt => ({
      evidence: [table],
      ...(table.rows.length === 1 && hasShares(table) ? { only: "verified" } : {}),
    })),
    ...(tables.length > 1 ? [together] : []),
    ...(totals.length > 0 ? [{ evidence: [...tables, ...totals] }] : []),
    ...wholeTables.map((table): Attempt => ({ evidence: [table], only: "derived" })),
  ];
}

function hasShares({ columns }: ResultTable): boolean {
  return columns.some((name) => name.startsWith("percent "));
}

/** Checks one claim, within its block, against each attempt. Evidence of other claims does not count. */
function firstThatHolds(
  attempts: readonly Attempt[],
  { sentence, block }: Claim,
  { check }: Pick<AnswerCheck, "check">,
  given: readonly string[],
): Attempted | undefined {
  let first: Attempted | undefined;
  for (const { evidence, only } of attempts) {
    const known = new Evidence();
    const ids = evidence.map((one) => known.add(one));
    const mark = ids.map((id) => `[${id}]`).join("");
    const [checked] = checkWith(block, { check }, [{ sentence, mark }], { ...known.of(new Set(ids)), given });
    if (checked === undefined) continue;
    const isHeld =
      holds(checked) && (only === undefined || (only === "derived") === (checked.status === "derived"));
    if (isHeld) return { isHeld, claim: toClaim(sentence, checked, evidence) };
    const refused: SentenceCheck = holds(checked)
      ? { sentence, status: "finding", finding: NOT_THERE }
      : checked;
    first ??= { isHeld, claim: toClaim(sentence, refused, evidence) };
  }
  return first;
}

/** Compares open claims with the passages, attempt by attempt. A claim that holds, or fails the last attempt, is done. */
function checkPassages(
  text: string,
  claims: readonly Claim[],
  done: (CheckedClaim | undefined)[],
  checker: Pick<AnswerCheck, "check">,
  given: readonly string[],
): void {
  const known = new Evidence();
  const attempts = claims.map(({ evidence }, at) =>
    done[at] === undefined ? known.attempts(evidence.passages, evidence.together) : [],
  );
  const last = Math.max(0, ...attempts.map(({ length }) => length));
  for (let attempt = 0; attempt < last && done.includes(undefined); attempt++) {
    const ids = claims.map(
      (_, at) => idsOf(done[at], known) ?? attempts[at]?.[attempt] ?? attempts[at]?.at(-1) ?? [],
    );
    const marked = claims.map(({ sentence }, at) => ({
      sentence,
      mark: (ids[at] ?? []).map((id) => `[${id}]`).join(""),
    }));
    const checked = checkWith(text, checker, marked, { ...known.of(new Set(ids.flat())), given });
    for (const [at, { sentence, evidence }] of claims.entries()) {
      const one = checked[at];
      const own = attempts[at] ?? [];
      if (done[at] !== undefined || one === undefined || own.length === 0) continue;
      const isAccident = evidence.isOfTables && one.status === "derived";
      if ((!holds(one) || isAccident) && attempt < own.length - 1) continue;
      if (isAccident) continue;
      done[at] = toClaim(
        sentence,
        one,
        (ids[at] ?? []).flatMap((id) => known.get(id) ?? []),
      );
    }
  }
}

/** A likelier page is no finding here: the text cites no passages itself. */
function holds({ finding }: SentenceCheck): boolean {
  return finding === undefined || finding.kind === "page";
}

function toClaim(
  sentence: string,
  check: SentenceCheck,
  found: readonly (Citation | ResultTable)[],
): CheckedClaim {
  if (!holds(check) && check.finding !== undefined)
    return { sentence, status: "finding", finding: withoutPlace(check.finding), found };
  return { sentence, status: check.status === "derived" ? "derived" : "verified", found };
}

/** The paragraph, list or table of each sentence, in their order. */
function blocksOf(text: string, sentences: readonly string[]): readonly string[] {
  let from = 0;
  return sentences.map((sentence) => {
    const at = text.indexOf(sentence, from);
    if (at < 0) return sentence;
    from = at + sentence.length;
    const start = text.lastIndexOf("\n\n", at);
    const end = text.indexOf("\n\n", from);
    return text.slice(start < 0 ? 0 : start + 2, end < 0 ? undefined : end);
  });
}

const MAX_COMMON = 4;
const isRow = (sentence: string): boolean => sentence.startsWith("|");

/** The passages that fit most rows of a table: a row alone often names less than its passage. */
function commonPassages(
  rows: readonly string[],
  evidenceFor: Collection["evidenceFor"],
): readonly Citation[] {
  const counted = new Map<string, { readonly passage: Citation; readonly times: number }>();
  for (const passage of rows.flatMap((row) => evidenceFor(row).passages)) {
    const times = (counted.get(keyOf(passage))?.times ?? 0) + 1;
    counted.set(keyOf(passage), { passage, times });
  }
  return [...counted.values()]
    .toSorted((one, other) => other.times - one.times)
    .slice(0, MAX_COMMON)
    .map(({ passage }) => passage);
}

/** A figure also stands in passages about something else, which would say nothing here. */
function withoutPlace({ kind, detail }: CheckFinding): CheckFinding {
  return { kind, detail: detail.split("; ")[0] ?? "" };
}

function idsOf(claim: CheckedClaim | undefined, known: Evidence): readonly string[] | undefined {
  return claim?.found.map((one) => known.idOf(one));
}

/** The checks of sentences, each with its marks. */
function checkWith(
  text: string,
  { check }: Pick<AnswerCheck, "check">,
  sentences: readonly { readonly sentence: string; readonly mark: string }[],
  evidence: AnswerEvidence,
): readonly (SentenceCheck | undefined)[] {
  const checks = check(insertBehind(text, sentences), evidence, BOUND);
  let from = 0;
  return sentences.map((one) => {
    const expected = insertBehind(one.sentence, [one]);
    const index = checks.findIndex((other, position) => position >= from && other.sentence === expected);
    if (index < 0) return check(expected, evidence, BOUND)[0];
    from = index + 1;
    return checks[index];
  });
}

/** Passages and tables under ids of their own. */
class Evidence {
  readonly #byId = new Map<string, Citation | ResultTable>();
  readonly #ids = new Map<string, string>();

  attempts(passages: readonly Citation[], together: readonly Citation[]): readonly (readonly string[])[] {
    const sources = new Map(passages.map((passage) => [this.add(passage), passage.source]));
    const cited = [...sources].map(([id, source]) => ({ id, source }));
    const documents = Map.groupBy(cited, ({ source }) => source);
    const joined = [...documents.values()].filter(({ length }) => length > 1);
    return [
      ...cited.map(({ id }) => [id]),
      ...joined.map((of) => of.map(({ id }) => id)),
      ...(together.length > 1 ? [together.map((passage) => this.add(passage))] : []),
      ...(documents.size > 1 ? [cited.map(({ id }) => id)] : []),
    ];
  }

  get(id: string): Citation | ResultTable | undefined {
    return this.#byId.get(id);
  }

  idOf(one: Citation | ResultTable): string {
    return this.#ids.get(keyOf(one)) ?? "";
  }

  of(ids: ReadonlySet<string>): {
    readonly citations: readonly Citation[];
    readonly tables: readonly ResultTable[];
  } {
    const used = [...this.#byId].flatMap(([id, one]) => (ids.has(id) ? [{ ...one, id }] : []));
    return {
      citations: used.filter((one) => "chunkId" in one),
      tables: used.filter((one) => "columns" in one),
    };
  }

  add(one: Citation | ResultTable): string {
    const key = keyOf(one);
    const before = this.#ids.get(key);
    if (before !== undefined) return before;
    const id = `e${this.#ids.size + 1}`;
    this.#ids.set(key, id);
    this.#byId.set(id, { ...one, id });
    return id;
  }
}

function keyOf(one: Citation | ResultTable): string {
  return "chunkId" in one
    ? JSON.stringify([one.collection, one.chunkId, one.start, one.end, one.passage])
    : JSON.stringify([one.title, one.query, one.columns.length, one.rows.length]);
}

/** `Travel policy, p. 4, § Hotels` or `table sales (sales.csv)`. */
export function placeOf(one: Citation | ResultTable): string {
  if (!("chunkId" in one)) return `table ${one.title ?? one.source ?? one.id}`;
  const { document, page, pageLabel, section } = one;
  return [
    document,
    ...(page === undefined ? [] : [`p. ${pageLabel ?? page}`]),
    ...(section === undefined || section === "" ? [] : [`§ ${section}`]),
  ].join(", ");
}
