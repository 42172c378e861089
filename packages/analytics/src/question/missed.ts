import { humanLabel, lowerFirst } from "../names/labels.ts";
import { COUNT_WORDS, MONEY_WORDS, wordsOf } from "../names/words.ts";
import type { TableInfo } from "../types/schema.ts";
import type { SelectPlan } from "./build-select.ts";
import type { Fact } from "./fact.ts";
import type { AskedValue } from "./filters.ts";
import { sameShape } from "./file-series.ts";
import { pickDimension } from "./pick-dimension.ts";
import { isMoney } from "./column-measure.ts";
import { atMost } from "./pick-time.ts";
import { MEASURED, type TokenReading } from "./read-tokens.ts";
import type { Scope } from "./scope.ts";
import type { UnmatchedTerms } from "./unmatched-terms.ts";
import { isPlainWord } from "./vocabulary.ts";

/** What a question says and no statement does. */
export interface MissedParts {
  /** Each follows `Not used: `. */
  readonly texts: readonly string[];
  /** The words they are about. */
  readonly words: readonly string[];
  /** No figure may be told: it would be another than the one that is asked for. */
  readonly refused: boolean;
  /** Whether a group is among them. */
  readonly groups: boolean;
}

/** A question as it was read, and the statements planned for it. */
export interface PlannedQuestion {
  readonly fact: Fact;
  readonly scope: Scope;
  readonly plans: readonly SelectPlan[];
  /** What the planner could not do, in sentences. */
  readonly unplanned: readonly string[];
  readonly read: TokenReading;
  /** Words of the names of tables and columns. */
  readonly names: ReadonlySet<string>;
  readonly tables: readonly TableInfo[];
}

/** What the plans of a question leave undone, but for the words that no rule read. */
export function missedOf(question: PlannedQuestion): MissedParts {
  const { fact, scope, plans, unplanned, read, names, tables } = question;
  const groups = unknownGroups(fact, names);
  const inText = textFigures(fact);
  const measures = inText.length > 0 ? [] : unknownMeasures(fact, names);
  return {
    texts: [
      ...scope.missed,
      ...unplanned,
      ...(fact.measure.missed === undefined ? [] : [fact.measure.missed]),
      ...read.periods.unread.map((text) => `"${text}": say the dates, such as 2025 or March 2025.`),
      ...read.thresholds.map((text) => `"${text}": no rule reads a bound on a figure.`),
      ...read.unclear,
      ...read.paired,
      ...fact.contradictions,
      ...fact.unreachable.map((value) => notReached(value, fact)),
      ...[...inText, ...measures, ...groups].map(({ text }) => text),
      ...separateGroups(plans, fact),
      ...(measures.length + inText.length === 0 ? unnamedMeasure(fact) : []),
      ...coarser(fact),
      ...sameShape(fact.table, tables).map(
        (source) => `${source}: it is like ${fact.table.source}, which alone was read.`,
      ),
    ],
    words: [...inText, ...groups, ...measures].flatMap(({ words }) => words),
    groups: groups.length > 0,
    refused: inText.length + read.paired.length > 0,
  };
}

/** What no rule read, each to follow `Not used: `. */
export function unmatchedTexts({ names, words }: UnmatchedTerms): readonly string[] {
  const said = words.map((word) => `"${word}"`).join(", ");
  return [...names.map(notFound), ...(said === "" ? [] : [`no rule reads ${said}.`])];
}

function notReached(value: AskedValue, fact: Fact): string {
  const [place] = value.places;
  return `filter "${value.text}": it is in ${String(place?.table)}.${String(place?.column)}, and rows of ${fact.table.name} do not lead there.`;
}

function notFound(text: string): string {
  const why = /^\d/.test(text) ? 'a number is read as a year, or after "top"' : "no column has that value";
  return `filter "${text}": ${why}.`;
}

/** What people measure a business by; money by any name is in a column of money. */
const MEASURES = new Set(
  "revenue turnover umsatz income profit margin cost ebit ebitda discount tax stock inventory salary budget expense price rating weight length duration headcount".split(
    " ",
  ),
);

/** `by region and channel` asks for each pair; told is each of the two on its own. */
function separateGroups(plans: readonly SelectPlan[], { intent, dimensions }: Fact): readonly string[] {
  const shown = plans.filter(({ dimension, grain }) => dimension !== undefined || grain !== undefined);
  const asked = dimensions.length + (intent.grain === undefined ? 0 : 1);
  return intent.apart || asked < 2 || shown.length < 2
    ? []
    : ["all groups at once: each group is told on its own."];
}

/** `which customers are in DACH`: a list of them by a figure that nobody asked for. */
function unnamedMeasure({ intent, measure }: Fact): readonly string[] {
  const { general, trade, top, growth, trend, share, compare, aggregate, grain } = intent;
  const asked = [general, trade, growth, trend, share, compare, top, aggregate, grain].some(
    (one) => one !== undefined && one !== false,
  );
  const own = wordsOf(measure.name);
  const named =
    own.some((word) => intent.words.includes(word)) ||
    [COUNT_WORDS, MONEY_WORDS].some((words) => isSaid(words, own) && isSaid(words, intent.words));
  return asked || named || measure.counts === true
    ? []
    : [
        `the list that is asked for: the question names no figure, so told is ${lowerFirst(humanLabel(measure.name))}.`,
      ];
}

const isSaid = (words: readonly string[], among: readonly string[]): boolean =>
  words.some((word) => among.includes(word));

/** What no statement does, in a sentence, and the words it is about. */
interface Missed {
  readonly text: string;
  readonly words: readonly string[];
}

const FIGURE = /^[+-]?\s*(?:\p{Sc}|\p{Lu}{3}|kr\.?)?\s*[+-]?\d[\d.,'\s]*(?:\p{Sc}|\p{Lu}{3}|kr\.?)?$/u;

/** A figure in a column of text, such as `1.234,50 EUR` among `$ 20`: no other figure may pass for it. */
function textFigures({ table, intent, measure }: Fact): readonly Missed[] {
  const measured = wordsOf(measure.name);
  return table.columns.flatMap(({ name, type, role, samples }) => {
    const said = wordsOf(name).filter(
      (word) => /\p{L}/u.test(word) && intent.words.includes(word) && !intent.by.includes(word),
    );
    const isFigure = samples.length > 0 && samples.every((sample) => FIGURE.test(String(sample)));
    if (type !== "VARCHAR" || role !== "category" || !isFigure || said.length === 0) return [];
    if (said.every((word) => measured.includes(word))) return [];
    const such = String(samples[0]).slice(0, 40);
    return [
      {
        text: `figure "${said.join(" ")}": ${name} of ${table.source} is text, such as "${such}"; write it as a plain number, in one currency.`,
        words: said,
      },
    ];
  });
}

/** `profit` where nothing is called so: other figures must not pass for it. */
function unknownMeasures(fact: Fact, names: ReadonlySet<string>): readonly Missed[] {
  const { intent } = fact;
  const measured = wordsOf(fact.measure.name);
  // A count of pieces is no money.
  const amount = isMoney(fact.measure.name);
  // `expenses` of a table of that name are its amounts.
  const own = amount ? wordsOf(fact.table.name) : [];
  const counted = fact.measure.counts === true || measured.some((word) => COUNT_WORDS.includes(word));
  const uncounted = intent.count.length > 0 && !counted && fact.measure.per === undefined;
  const unknown = [...new Set(intent.words)]
    .filter(
      (word) =>
        MEASURES.has(word) &&
        !own.includes(word) &&
        !measured.includes(word) &&
        !(amount && MONEY_WORDS.includes(word)),
    )
    .map((word) => {
      const why = names.has(word) ? `rows of ${fact.table.name} do not have it` : "no column has that name";
      return { text: `figure "${word}": ${why}.`, words: [word] };
    });
  return uncounted
    ? [
        ...unknown,
        {
          text: '"how many": no table or column is named by what follows.',
          words: ["many", "number", "count", ...intent.count.slice(0, 1)],
        },
      ]
    : unknown;
}

/** `by colour` where nothing is called so, or where rows do not lead to it. */
function unknownGroups(fact: Fact, names: ReadonlySet<string>): readonly Missed[] {
  const { intent } = fact;
  const measured = new Set([...wordsOf(fact.measure.name), ...MEASURED]);
  return intent.by
    .filter(
      (word) =>
        word !== fact.measure.per &&
        fact.measure.counted?.includes(word) !== true &&
        pickDimension(word, fact.tables) === undefined,
    )
    .filter((word) => !measured.has(word) && word.length > 1)
    .filter((word) => names.has(word) || !isPlainWord(word, word))
    .map((word) => {
      const why = names.has(word)
        ? `rows of ${fact.table.name} do not lead to it`
        : "no column or table has that name";
      return { text: `group "${word.slice(0, 60)}": ${why}.`, words: [word] };
    });
}

function coarser({ time, intent }: Fact): readonly string[] {
  if (intent.grain === undefined) return [];
  if (time === undefined) return [`by ${intent.grain}: the data has no dates.`];
  const grain = atMost(time, intent.grain);
  return grain === intent.grain
    ? []
    : [`by ${intent.grain}: ${time.column.name} has no part finer than the ${grain}.`];
}
