import type { DataSchema } from "../types/schema.ts";
import type { ColumnValues } from "../types/values.ts";
import { readQuestion, type Asked } from "./read-question.ts";
import { buildSelect, countSelect, scopeOfPlan } from "./build-select.ts";
import { chooseFact, type Fact } from "./fact.ts";
import { knownWords, leftovers } from "./leftovers.ts";
import { indexValues, matchPhrases, matchWords, schemaWords, type FoundValue } from "./match-values.ts";
import { isSharedName, pickDimension } from "./pick-dimension.ts";
import { isAmount } from "./pick-measure.ts";
import { atMost, planStatements } from "./plan-statements.ts";
import { readPeriods } from "./read-periods.ts";
import { scopeOf, scopeText, type Scope } from "./scope.ts";
import { titleOf } from "./title.ts";
import { tokensOf, type Token } from "./tokens.ts";
import { isPlainWord } from "./vocabulary.ts";
import { COUNT_WORDS, MONEY_WORDS, PRICE_WORDS, wordsOf } from "../names/words.ts";

/** A statement that answers a part of a question. */
export interface QuestionSql {
  /** What it shows, such as `Revenue by quarter`. */
  readonly title: string;
  readonly sql: string;
  /** What was left out on purpose; undefined when nothing was. */
  readonly note: string | undefined;
  /** What its rows were filtered by, such as `region is DACH, order_date in 2024`; empty when they were not. */
  readonly filter: string;
  /** Counts the rows it reads: `kept`, `all`, and the `first` and `last` time. */
  readonly countSql: string;
}

/** What fixed rules make of a question. */
export interface QuestionReading {
  readonly statements: readonly QuestionSql[];
  /** What the question says and the statements do not do, each in a sentence. */
  readonly unused: readonly string[];
  /** What a reader has to know, such as what stands for an order. */
  readonly notes: readonly string[];
  /** Stretches of time that were asked for, ISO days, the second not included. */
  readonly periods: Scope["periods"];
}

const MEASURED = [...MONEY_WORDS, ...COUNT_WORDS, ...PRICE_WORDS];
const MAX_STATEMENTS = 4;
const NOTHING: QuestionReading = { statements: [], unused: [], notes: [], periods: [] };

/**
 * Statements for a question by fixed rules: no model, no understanding. Words that are values of a
 * column become conditions, years, quarters and months become ranges of time. Words after `by`, `per`
 * or `top` are looked up among column and table names; the table with the best measure, date and joins
 * becomes the fact table; dimension tables are joined by key names (`customer_id`). A general question
 * gives the measure over time, by a small category, and the top of a large one. What looks like a name
 * or a number and was not used is said. No statement when the words meet nothing of the schema.
 */
export function questionToSql(
  question: string,
  schema: DataSchema,
  values: readonly ColumnValues[] = [],
  today?: string,
): QuestionReading {
  const tokens = tokensOf(question);
  const index = indexValues(values);
  const phrases = matchPhrases(tokens, index);
  const periods = readPeriods(question, tokens, { free: (i) => !phrases.used.has(i), today });
  const names = schemaWords(
    schema.tables.flatMap((table) => [table.name, ...table.columns.map((one) => one.name)]),
  );
  const reserved = (token: Token): boolean =>
    MEASURED.includes(token.word) || (names.has(token.word) && !/^\p{Lu}/u.test(token.text));
  const first = new Set([...phrases.used, ...periods.used]);
  const words = matchWords(tokens, index, (i) => {
    const token = tokens[i];
    return first.has(i) || (token !== undefined && reserved(token));
  });
  const used = new Set([...first, ...words.used]);
  const found = [...phrases.found, ...words.found];
  const asked = readQuestion(tokens, (i) => used.has(i));
  const dated = periods.periods.length + periods.recurring.length > 0;
  const fact = chooseFact(schema, asked, found, dated);
  if (fact === undefined || !isAboutData(fact, asked)) return NOTHING;
  const scope = scopeOf(fact, periods);
  const plans = planStatements(fact, scope).slice(0, MAX_STATEMENTS);
  return {
    statements: plans.map((plan) => {
      const kept = scopeOfPlan(plan, scope);
      return {
        title: titleOf(fact, plan, scope),
        sql: buildSelect(fact, plan, scope),
        note: plan.range?.note,
        filter: scopeText(kept, fact.time),
        countSql: countSelect(fact, kept),
      };
    }),
    unused: [
      ...scope.missed,
      ...periods.unread.map(
        (text) => `Not filtered by "${text}": say the dates, such as 2025 or March 2025.`,
      ),
      ...words.unclear,
      ...fact.unplaced.map((value) => notReached(value, fact)),
      ...unknownMeasures(asked, fact, names),
      ...unknownGroups(asked, fact, names),
      ...leftovers(
        tokens,
        usedNumbers(tokens, used),
        knownWords(new Set([...names, ...schemaWords([schema.collection]), ...MEASURED])),
      ).map(notFound),
    ],
    notes: [
      ...fact.doubtful,
      ...sharedNames(fact),
      ...(fact.measure.note === undefined ? [] : [fact.measure.note]),
      ...coarser(fact, asked),
    ],
    periods: scope.periods,
  };
}

function isAboutData(fact: Fact, asked: Asked): boolean {
  const specific = asked.growth || asked.grain !== undefined || fact.dimensions.length > 0;
  const named = asked.compare && fact.filters.some((filter) => filter.values.length > 1);
  return specific || named || asked.general || asked.share || fact.measure.score >= 4;
}

/** Names that were filtered by and do not tell rows apart. */
function sharedNames({ filters }: Fact): readonly string[] {
  return filters
    .filter(({ from, column }) => isSharedName(from.table, column))
    .map(
      ({ from, column }) => `${column} does not tell ${from.table.name} apart: a name may stand for several.`,
    );
}

/** The number after `top` is read. */
function usedNumbers(tokens: readonly Token[], used: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(used);
  tokens.forEach((token, i) => {
    if (/^\d+$/.test(token.fold) && RANKS.has(tokens[i - 1]?.word ?? "")) all.add(i);
  });
  return all;
}

const RANKS = new Set(
  "top best largest biggest highest leading lowest smallest worst fewest least bottom".split(" "),
);

function notReached(value: FoundValue, fact: Fact): string {
  const [place] = value.places;
  return `Not filtered by "${value.text}": it is in ${String(place?.table)}.${String(place?.column)}, and rows of ${fact.table.name} do not lead there.`;
}

function notFound(text: string): string {
  const why = /^\d/.test(text) ? 'a number is read as a year, or after "top"' : "no column has that value";
  return `Not filtered by "${text}": ${why}.`;
}

/** What people measure a business by; money by any name is in a column of money. */
const MEASURES = new Set(
  "revenue turnover umsatz income profit margin cost ebit ebitda discount tax stock inventory salary budget expense price rating weight length duration headcount".split(
    " ",
  ),
);

/** `profit` where nothing is called so: other figures must not pass for it. */
function unknownMeasures(asked: Asked, fact: Fact, names: ReadonlySet<string>): readonly string[] {
  const measured = wordsOf(fact.measure.name);
  const amount = isAmount(fact.measure.name);
  const counted = fact.measure.counts === true || measured.some((word) => COUNT_WORDS.includes(word));
  const uncounted = asked.count.length > 0 && !counted && fact.measure.per === undefined;
  const unknown = [...new Set(asked.words)]
    .filter(
      (word) => MEASURES.has(word) && !measured.includes(word) && !(amount && MONEY_WORDS.includes(word)),
    )
    .map((word) => {
      const why = names.has(word) ? `rows of ${fact.table.name} do not have it` : "no column has that name";
      return `Not measured by "${word}": ${why}.`;
    });
  return uncounted
    ? [...unknown, 'Not counted: no table or column is named by what follows "how many".']
    : unknown;
}

/** `by colour` where nothing is called so, or where rows do not lead to it. */
function unknownGroups(asked: Asked, fact: Fact, names: ReadonlySet<string>): readonly string[] {
  const measured = new Set([...wordsOf(fact.measure.name), ...MEASURED]);
  return asked.by
    .filter((word) => word !== fact.measure.per && pickDimension(word, fact.tables) === undefined)
    .filter((word) => !measured.has(word) && word.length > 1)
    .filter((word) => names.has(word) || !isPlainWord(word, word))
    .map((word) => {
      const why = names.has(word)
        ? `rows of ${fact.table.name} do not lead to it`
        : "no column or table has that name";
      return `Not grouped by "${word.slice(0, 60)}": ${why}.`;
    });
}

function coarser(fact: Fact, asked: Asked): readonly string[] {
  const { time } = fact;
  if (asked.grain === undefined) return [];
  if (time === undefined) return [`Not by ${asked.grain}: the data has no dates.`];
  const grain = atMost(time, asked.grain);
  return grain === asked.grain
    ? []
    : [`Not by ${asked.grain}: ${time.column.name} has no part finer than the ${grain}.`];
}
