import type { AnswerCheck, AnswerEvidence } from "@troupe/core";
import type { CheckFinding, Citation, ResultTable, SentenceCheck } from "@troupe/stream";

import { insertBehind } from "../render/checks-text.ts";
import { stripMarks } from "./strip-marks.ts";

/** Where a text is looked up. */
export interface Collection {
  /** The best passages for a sentence, best first. */
  readonly passagesFor: (sentence: string) => readonly Citation[];
  /** The tables that share most words with a sentence, best first. */
  readonly tablesFor: (sentence: string) => readonly ResultTable[];
  /** What needs no source, such as today's date. */
  readonly given: readonly string[];
}

/** A sentence that makes a claim. */
export interface CheckedClaim extends SentenceCheck {
  /** Evidence that holds what it says; of a sentence with a finding, the best passages and tables. */
  readonly found: readonly (Citation | ResultTable)[];
}

interface Claim {
  readonly sentence: string;
  /** Ids of what it is compared with, attempt by attempt. */
  readonly attempts: readonly (readonly string[])[];
}

/** Among several passages a figure is sooner explained by accident. */
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
 * first, then those of one document together, then all of them.
 */
export function checkText(
  { text, sentences }: ReadText,
  { check }: Pick<AnswerCheck, "check">,
  { passagesFor, tablesFor, given }: Collection,
): readonly CheckedClaim[] {
  const known = new Evidence();
  const ofRows = commonPassages(sentences.filter(isRow), passagesFor);
  const claims = sentences.map((sentence): Claim => {
    const passages = [...passagesFor(sentence), ...(isRow(sentence) ? ofRows : [])];
    return { sentence, attempts: known.attempts(passages, tablesFor(sentence)) };
  });
  const done: (CheckedClaim | undefined)[] = claims.map(() => undefined);
  const last = Math.max(0, ...claims.map(({ attempts }) => attempts.length));
  for (let attempt = 0; attempt < last && done.includes(undefined); attempt++) {
    const ids = claims.map(
      ({ attempts }, at) => idsOf(done[at], known) ?? attempts[attempt] ?? attempts.at(-1) ?? [],
    );
    const checked = checkWith(text, { check }, claims, ids, { ...known.of(new Set(ids.flat())), given });
    for (const [at, { sentence, attempts }] of claims.entries()) {
      const one = checked[at];
      if (done[at] !== undefined || one === undefined) continue;
      // Which of its passages a sentence cites is not asked here.
      const holds = one.finding === undefined || one.finding.kind === "page";
      const found = (ids[at] ?? []).flatMap((id) => known.get(id) ?? []);
      if (holds) done[at] = { sentence, status: one.status === "derived" ? "derived" : "verified", found };
      else if (attempt >= attempts.length - 1)
        done[at] = { sentence, status: "finding", finding: withoutPlace(one.finding), found };
    }
  }
  return claims.map(
    ({ sentence }, at) =>
      done[at] ?? { sentence, status: "finding", finding: { kind: "not-there", detail: "" }, found: [] },
  );
}

const MAX_COMMON = 4;
const isRow = (sentence: string): boolean => sentence.startsWith("|");

/** The passages that fit most rows of a table: a row alone often names less than its passage. */
function commonPassages(
  rows: readonly string[],
  passagesFor: Collection["passagesFor"],
): readonly Citation[] {
  const counted = new Map<string, { readonly passage: Citation; readonly times: number }>();
  for (const passage of rows.flatMap((row) => passagesFor(row))) {
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

/** The checks of the claims, each with these ids as its citations. */
function checkWith(
  text: string,
  { check }: Pick<AnswerCheck, "check">,
  claims: readonly Claim[],
  ids: readonly (readonly string[])[],
  evidence: AnswerEvidence,
): readonly (SentenceCheck | undefined)[] {
  const marks = ids.map((of) => of.map((id) => `[${id}]`).join(""));
  const marked = insertBehind(
    text,
    claims.map(({ sentence }, at) => ({ sentence, mark: marks[at] ?? "" })),
  );
  const checks = check(marked, evidence, BOUND);
  let from = 0;
  return claims.map(({ sentence }, at) => {
    const expected = insertBehind(sentence, [{ sentence, mark: marks[at] ?? "" }]);
    const index = checks.findIndex((one, position) => position >= from && one.sentence === expected);
    if (index < 0) return check(expected, evidence, BOUND)[0];
    from = index + 1;
    return checks[index];
  });
}

/** Passages and tables under ids of their own. */
class Evidence {
  readonly #byId = new Map<string, Citation | ResultTable>();
  readonly #ids = new Map<string, string>();

  attempts(passages: readonly Citation[], tables: readonly ResultTable[]): readonly (readonly string[])[] {
    const sources = new Map(passages.map((passage) => [this.#add(passage), passage.source]));
    const cited = [...sources].map(([id, source]) => ({ id, source }));
    const ofTables = tables.map((table) => this.#add(table));
    const documents = Map.groupBy(cited, ({ source }) => source);
    const together = [...documents.values()].filter(({ length }) => length > 1);
    const all = [...cited.map(({ id }) => id), ...ofTables];
    return [
      ...cited.map(({ id }) => [id]),
      ...ofTables.map((id) => [id]),
      ...together.map((of) => of.map(({ id }) => id)),
      ...(documents.size > 1 || ofTables.length > 0 ? [all] : []),
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

  #add(one: Citation | ResultTable): string {
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
    : JSON.stringify([one.title, one.query]);
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
