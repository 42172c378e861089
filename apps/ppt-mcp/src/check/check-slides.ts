import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

import { holdsVerbatim } from "@troupe/checks";
import type { AnswerCheck, AnswerEvidence } from "@troupe/core";
import type { SlideOf, SlideSpec } from "@troupe/deck";
import type { CheckFinding, Citation, ResultTable, SentenceCheck } from "@troupe/stream";

import { indexOf, numberOf, type Presentation } from "../state/presentation.ts";
import {
  countsOf,
  hasFigures,
  passageKey,
  sourcesOf,
  statementsOf,
  type SlideSources,
  type Statement,
} from "./slide-statements.ts";

/** A statement of a slide that its sources do not have. */
export interface UnverifiedStatement {
  /** Number of the slide, as `numberOf` counts. */
  readonly slide: number;
  readonly statement: Statement;
  readonly finding: CheckFinding;
}

export interface PresentationCheck {
  readonly unverified: readonly UnverifiedStatement[];
  /** False where no slide has sources and nothing is known: then `unverified` has all statements with figures. */
  readonly isCompared: boolean;
}

/** What slides without sources may state: texts, such as the request and passages that were found, and tables. */
export type KnownEvidence = Pick<AnswerEvidence, "given" | "tables">;

type Bound = "strict" | "lenient";

/**
 * Compares every slide with its sources, `lenient` on computed figures: for what a person is shown. Where no slide has
 * sources, figures and dates are compared with `known`. Other work of the process goes on between slides, as a long
 * presentation takes seconds.
 */
export async function checkPresentation(
  presentation: Presentation,
  check: AnswerCheck,
  known?: KnownEvidence,
): Promise<PresentationCheck> {
  const slides = presentation.slides.map(({ slide }) => slide);
  const deck = new DeckCheck(presentation, check, "lenient");
  if (!slides.some(hasSources))
    return {
      unverified:
        known === undefined
          ? slides.flatMap((slide, i) => unsourcedFigures(slide, numberOf(presentation, i)))
          : deck.unknown(known),
      isCompared: known !== undefined,
    };
  // First all with their own sources, since a slide without any is compared with what the others prove.
  for (const slide of slides) {
    deck.compareWithOwn(slide);
    await setImmediate();
  }
  const unverified: UnverifiedStatement[] = [];
  for (const index of slides.keys()) {
    unverified.push(...deck.unverified(index));
    await setImmediate();
  }
  return { unverified, isCompared: true };
}

/**
 * Compares one slide, by its number, `strict` on computed figures, since it can still be changed. A slide without
 * sources of its own is compared with the other slides, once one of those has sources.
 */
export function checkSlide(
  presentation: Presentation,
  number: number,
  check: AnswerCheck,
): readonly UnverifiedStatement[] {
  if (!presentation.slides.some(({ slide }) => hasSources(slide))) return [];
  return new DeckCheck(presentation, check, "strict").unverified(indexOf(presentation, number));
}

function unsourcedFigures(slide: SlideSpec, number: number): readonly UnverifiedStatement[] {
  return statementsOf(slide)
    .filter(hasFigures)
    .map((statement) => ({ slide: number, statement, finding: NO_SOURCES }));
}

/** Kinds that state what other slides say, and so may rest on those. */
const SUMMARIES: ReadonlySet<SlideSpec["kind"]> = new Set(["title", "agenda", "section", "closing"]);

/** Whether a slide that is being added may state what later slides say: it is compared when the presentation is saved. */
export function summarizesLaterSlides(slide: SlideSpec): boolean {
  return SUMMARIES.has(slide.kind) && slide.kind !== "closing" && !hasSources(slide);
}

function hasSources(slide: SlideSpec): boolean {
  const { citations, tables } = sourcesOf(slide);
  return citations.length + tables.length > 0;
}

interface Unmatched {
  readonly statement: Statement;
  readonly finding: CheckFinding;
}

/** By content, since every call reads its presentation anew. */
type Remembered = Map<string, readonly { readonly index: number; readonly finding: CheckFinding }[]>;

/** So that a slide without sources, compared with what all others prove, does not have them compared again. */
const MAX_REMEMBERED = 1_000;
const rememberedBy = new WeakMap<AnswerCheck, Remembered>();

class DeckCheck {
  readonly #slides: readonly SlideSpec[];
  readonly #first: number;
  readonly #check: AnswerCheck;
  readonly #bound: Bound;
  /** The fields of the presentation, without figures other than years and the date. */
  readonly #names: string;
  readonly #covers: readonly SlideOf<"title">[];
  readonly #own = new Map<SlideSpec, readonly Unmatched[]>();

  constructor(presentation: Presentation, check: AnswerCheck, bound: Bound) {
    const { title, subtitle = "", author = "", date = "", company = "" } = presentation;
    this.#slides = presentation.slides.map(({ slide }) => slide);
    this.#first = numberOf(presentation, 0);
    this.#check = check;
    this.#bound = bound;
    this.#covers = this.#slides.filter((slide) => slide.kind === "title");
    this.#names = [...[title, subtitle, author, company].map(withoutFigures), date].join("\n");
  }

  unverified(index: number): readonly UnverifiedStatement[] {
    const slide = this.#slides[index];
    if (slide === undefined || slide.kind === "sources") return [];
    const own = this.compareWithOwn(slide);
    const { tables } = sourcesOf(slide);
    const mayRestOnDeck = ({ statement, finding }: Unmatched): boolean =>
      SUMMARIES.has(slide.kind) ||
      !hasSources(slide) ||
      (statement.place === "title" && finding.kind === "date") ||
      (statement.sources.length + tables.length === 0 && statement.field === undefined);
    const open = own.filter(mayRestOnDeck);
    const rest = open.length === 0 ? [] : this.#compareWithDeck(slide, open);
    return own.flatMap((one) => {
      const found = mayRestOnDeck(one) ? rest.find(({ statement }) => statement === one.statement) : one;
      return found === undefined ? [] : [{ slide: this.#first + index, ...found }];
    });
  }

  /** Statements with figures or dates that are not in `known`. Names and quotes are not compared. */
  unknown({ given, tables }: KnownEvidence): readonly UnverifiedStatement[] {
    const statements = this.#slides.map((slide) => statementsOf(slide).map(asText));
    const names = [...new Set(this.#slides.map((slide) => this.#namesFor(slide)))];
    const texts = given.map(asCitation);
    const compare = (open: readonly Statement[], citations: readonly Citation[], more: readonly string[]) =>
      this.#compare(open, { citations, tables }, [...given, ...names, ...more], () => citations);
    // All slides at once, since each comparison reads all that is known anew.
    const missing = compare(statements.flat(), [], []).filter(({ finding: { kind } }) => kind !== "name");
    // Only figures of sources, not of given texts, count as operands of computed ones.
    const rest = compare(missing.map(statementOf), texts, []);
    return this.#slides.flatMap((slide, index) => {
      const own = rest.filter(({ statement }) => statements[index]?.includes(statement));
      const counts = countsOf(slide);
      const isCount = ({ finding }: Unmatched): boolean => mayBeCount(finding, counts);
      const still = compare(own.filter(isCount).map(statementOf), texts, [counts.join("; ")]);
      return own
        .filter((one) => !isCount(one) || still.some(({ statement }) => statement === one.statement))
        .map((one) => ({ slide: this.#first + index, ...one }));
    });
  }

  /** Names that need no source on a slide, and the date of the presentation. */
  #namesFor(slide: SlideSpec): string {
    const covers = this.#covers.flatMap((cover) => {
      const { title, subtitle = "", author = "", date = "" } = cover;
      return [date, ...[author, ...(cover === slide ? [] : [title, subtitle])].map(withoutFigures)];
    });
    return [this.#names, ...covers].join("\n");
  }

  /** Statements that neither their own sources nor the others of the slide have. Compared once, then remembered. */
  compareWithOwn(slide: SlideSpec): readonly Unmatched[] {
    const known = this.#own.get(slide);
    if (known !== undefined) return known;
    const content = JSON.stringify([this.#namesFor(slide), slide]);
    const keyOf = (bound: Bound): string =>
      createHash("sha256").update(`${bound} ${content}`).digest("base64");
    const remembered: Remembered = rememberedBy.get(this.#check) ?? new Map();
    rememberedBy.set(this.#check, remembered);
    // What holds under the strict bound holds under the lenient one.
    const strict = remembered.get(keyOf("strict"));
    const earlier = strict?.length === 0 ? strict : remembered.get(keyOf(this.#bound));
    const statements = statementsOf(slide);
    const open =
      earlier?.flatMap(({ index, finding }) => {
        const statement = statements[index];
        return statement === undefined ? [] : [{ statement, finding }];
      }) ?? this.#unmatched(slide, statements);
    remembered.set(
      keyOf(this.#bound),
      open.map(({ statement, finding }) => ({ index: statements.indexOf(statement), finding })),
    );
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    this.#own.set(slide, open);
    return open;
  }

  #unmatched(slide: SlideSpec, statements: readonly Statement[]): readonly Unmatched[] {
    const { citations, tables } = sourcesOf(slide);
    const given = [this.#namesFor(slide)];
    let open: readonly Unmatched[] = statements.map((statement) => ({ statement, finding: NO_SOURCES }));
    if (citations.length + tables.length > 0) {
      // Each comparison reads all evidence anew, so none is made that cannot change a finding.
      const compare = (statements: readonly Statement[], cite: (one: Statement) => readonly Citation[]) =>
        this.#compare(statements, { citations, tables }, given, cite);
      const retry = (mayChange: (one: Unmatched) => boolean): void => {
        const again = compare(open.filter(mayChange).map(statementOf), () => citations);
        const found = new Map(again.map((one) => [one.statement, one]));
        open = open.flatMap((one) => (mayChange(one) ? (found.get(one.statement) ?? []) : one));
      };
      open = compare(open.map(statementOf), ({ sources }) => sources);
      retry(({ statement: { sources } }) => new Set(sources.map(passageKey)).size < citations.length);
      // Last, for more numbers to compute with make fewer results certain.
      const counts = countsOf(slide);
      given.push(counts.join("; "));
      retry(({ finding }) => mayBeCount(finding, counts));
    }
    return open;
  }

  /** Figures must be stated by another slide; names and dates may also be in the sources of any. */
  #compareWithDeck(slide: SlideSpec, open: readonly Unmatched[]): readonly Unmatched[] {
    const own = sourcesOf(slide);
    const others = this.#slides.filter((other) => other !== slide && hasSources(other));
    const sources = others.map(sourcesOf);
    const pages = others.map((other) => this.#verifiedText(other)).map(asCitation);
    const stated: SlideSources = {
      citations: [...own.citations, ...pages],
      tables: [...own.tables, ...sources.flatMap(({ tables }) => tables)],
    };
    const all = [...stated.citations, ...sources.flatMap(({ citations }) => citations)];
    const given = [this.#namesFor(slide), countsOf(slide).join("; ")];
    const missing = this.#compare(open.map(statementOf), stated, given, () => stated.citations);
    const isElsewhere = ({ finding: { kind } }: Unmatched): boolean =>
      ["name", "date", "quote"].includes(kind);
    const rest = missing.filter(isElsewhere).map(statementOf);
    const still = this.#compare(rest, { ...stated, citations: all }, given, () => all);
    return [...missing.filter((one) => !isElsewhere(one)), ...still];
  }

  #verifiedText(slide: SlideSpec): string {
    const open = new Set(this.compareWithOwn(slide).map(statementOf));
    return statementsOf(slide)
      .filter((statement) => !open.has(statement) && ![...open].some(({ text }) => text === statement.text))
      .map(({ text, kind }) => (kind === "row" ? `| ${text} |` : text))
      .join("\n");
  }

  #compare(
    statements: readonly Statement[],
    { citations, tables }: SlideSources,
    given: readonly string[],
    cite: (statement: Statement) => readonly Citation[],
  ): readonly Unmatched[] {
    if (statements.length === 0) return [];
    const ids = new Map(citations.map((citation, i) => [passageKey(citation), `source-${i + 1}`]));
    const evidence: AnswerEvidence = {
      citations: citations.map((citation, i) => ({ ...citation, id: `source-${i + 1}` })),
      tables: tables.map((table, i): ResultTable => ({ ...table, id: `chart-${i + 1}` })),
      given,
    };
    const marked = (statement: Statement): string => {
      const cited = cite(statement).flatMap((citation) => ids.get(passageKey(citation)) ?? []);
      return [...new Set([...cited, ...evidence.tables.map(({ id }) => id)])].map((id) => `[${id}]`).join("");
    };
    const found = new Map<Statement, CheckFinding>();
    for (const [statement, { finding }] of this.#checks(statements, marked, evidence)) {
      if (finding === undefined || found.has(statement) || isIgnored(finding, statement)) continue;
      found.set(statement, finding);
    }
    for (const statement of statements)
      if (
        statement.kind === "quote" &&
        !cite(statement).some(({ passage, quote }) => holdsVerbatim(passage ?? quote, statement.text))
      )
        found.set(statement, { kind: "quote", detail: statement.text });
    return statements.flatMap((statement) => {
      const finding = found.get(statement);
      return finding === undefined ? [] : [{ statement, finding }];
    });
  }

  /** All statements as one text. */
  #checks(
    statements: readonly Statement[],
    marked: (statement: Statement) => string,
    evidence: AnswerEvidence,
  ): readonly (readonly [Statement, SentenceCheck])[] {
    const starts: number[] = [];
    let text = "";
    for (const statement of statements) {
      starts.push(text.length);
      // Rows make up one table: figures of earlier rows are operands of later ones.
      text += `${paragraphOf(statement, marked(statement))}${statement.kind === "row" ? "\n" : "\n\n"}`;
    }
    if (text === "") return [];
    let from = 0;
    return this.#check.check(text, evidence, { bound: this.#bound }).flatMap((one) => {
      const at = text.indexOf(one.sentence, from);
      from = at + one.sentence.length;
      const statement = statements[starts.findLastIndex((start) => start <= at)];
      return statement === undefined ? [] : [[statement, one] as const];
    });
  }
}

/** Whether what was not found may be one of the counts: `6`, or `six`, whose digits are not known here. */
function mayBeCount({ kind, detail }: CheckFinding, counts: readonly number[]): boolean {
  if (counts.length === 0 || ["date", "name", "quote", "unknown"].includes(kind)) return false;
  const digits = detail.match(/\d+/g);
  return digits === null || digits.some((one) => counts.includes(Number(one)));
}

function isIgnored({ kind, detail }: CheckFinding, statement: Statement): boolean {
  if (statement.ignoresNames === true && kind === "name") return true;
  return statement.ignoresCounts === true && kind.startsWith("figure") && /^\d{1,2}$/.test(detail);
}

const asText = (statement: Statement): Statement =>
  statement.kind === "quote" ? { ...statement, kind: "text" } : statement;

const statementOf = ({ statement }: Unmatched): Statement => statement;

/** Markdown that the check reads as one sentence or more, or as the row of a table. Quotes are compared apart. */
function paragraphOf({ kind, text }: Statement, marks: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (kind === "quote") return "";
  if (kind === "row") return `| ${line} | ${marks} |`;
  // Before the full stop, which is no part of the last word: `304 Mio.`
  const stop = /[.!?…]*$/.exec(line)?.[0] ?? "";
  return `- ${line.slice(0, line.length - stop.length)} ${marks}${stop}`;
}

const YEARS = /^\D?(?:19|20)\d\d(?:\D(?:19|20)\d\d)?\D?$/;

/** Without figures other than years: what a presentation is called proves none. */
function withoutFigures(title: string): string {
  return title.replaceAll(/\S*\d\S*/g, (token) => (YEARS.test(token) ? token : " "));
}

/** What other slides state, as a source. */
function asCitation(passage: string, index: number): Citation {
  return {
    id: "",
    document: "",
    source: "",
    collection: "",
    chunkId: "slide",
    quote: "",
    passage,
    start: index,
    end: index,
  };
}

/** The finding of a statement that there is nothing to compare with. */
const NO_SOURCES: CheckFinding = { kind: "uncited", detail: "" };
