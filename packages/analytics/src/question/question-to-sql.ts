import type { DataSchema } from "../types/schema.ts";
import type { ColumnValues } from "../types/values.ts";
import { readIntent, type QueryIntent } from "./query-intent.ts";
import { buildSelect, countSelect, scopeOfPlan, type SelectPlan } from "./build-select.ts";
import { chooseFact, type Fact } from "./fact.ts";
import { isFunctionWord } from "./function-words.ts";
import { consumedTerms } from "./consumed-terms.ts";
import { schemaWords } from "./match-values.ts";
import { isSharedName, pickDimension } from "./pick-dimension.ts";
import { isMoneyOrQuantity } from "./pick-measure.ts";
import { atMost } from "./pick-time.ts";
import { planStatements } from "./plan-statements.ts";
import { MEASURED, readTokens } from "./read-tokens.ts";
import { unmatchedTerms } from "./unmatched-terms.ts";
import type { AskedValue } from "./filters.ts";
import { scopeOf, scopeText, type Scope } from "./scope.ts";
import { titleOf } from "./title.ts";
import { tokensOf } from "./tokens.ts";
import { isPlainWord } from "./vocabulary.ts";
import { humanLabel, lowerFirst } from "../names/labels.ts";
import { COUNT_WORDS, MONEY_WORDS, wordsOf } from "../names/words.ts";

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

const MAX_STATEMENTS = 4;
const NOTHING: QuestionReading = { statements: [], unused: [], notes: [], periods: [] };

/**
 * Statements for a question by fixed rules: no model, no understanding. Words that are values of a
 * column become conditions, years, quarters and months become ranges of time. Words after `by`, `per`
 * or `top` are looked up among column and table names; the table with the best measure, date and joins
 * becomes the fact table; dimension tables are joined by key names (`customer_id`). A general question
 * gives the measure over time, by a small category, and the top of a large one. Every
 * word that no rule read and that is no function word is said. No statement when the words meet nothing of the schema.
 */
export function questionToSql(
  question: string,
  schema: DataSchema,
  values: readonly ColumnValues[] = [],
  today?: string,
): QuestionReading {
  const tokens = tokensOf(question);
  const names = schemaWords(
    schema.tables.flatMap((table) => [table.name, ...table.columns.map((one) => one.name)]),
  );
  const read = readTokens(question, tokens, values, names, today);
  const intent = readIntent(tokens, (i) => read.used.has(i));
  const dated = read.periods.periods.length + read.periods.recurring.length > 0;
  const fact = chooseFact(schema, intent, read.values, dated);
  if (fact === undefined || !isAboutData(fact, intent)) return NOTHING;
  const scope = scopeOf(fact, read.periods);
  const planned = planStatements(fact, scope);
  const plans = planned.plans.slice(0, MAX_STATEMENTS);
  const groups = unknownGroups(intent, fact, names);
  const measures = unknownMeasures(intent, fact, names);
  const consumed = consumedTerms(tokens, read.values, fact, scope, plans);
  const said = new Set([...groups, ...measures].flatMap(({ words }) => words));
  const inCollection = schemaWords([schema.collection]);
  const pairs = namePairs(schema);
  const unmatched = unmatchedTerms(question, tokens, (i) => {
    const word = tokens[i]?.word ?? "";
    const names = pairs.has(`${word} ${tokens[i + 1]?.word ?? ""}`);
    if (!names && isFunctionWord(tokens[i]?.fold ?? "", word) && tokens[i]?.quote === undefined) return true;
    if (groups.length > 0 && intent.marks.by.includes(i)) return true;
    return read.used.has(i) || consumed.has(i) || said.has(word) || inCollection.has(word);
  });
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
      ...planned.missed,
      ...(fact.measure.missed === undefined ? [] : [fact.measure.missed]),
      ...read.periods.unread.map(
        (text) => `Not filtered by "${text}": say the dates, such as 2025 or March 2025.`,
      ),
      ...read.thresholds.map((text) => `Not filtered by "${text}": no rule reads a bound on a figure.`),
      ...read.unclear,
      ...fact.contradictions,
      ...fact.unreachable.map((value) => notReached(value, fact)),
      ...[...measures, ...groups].map(({ text }) => text),
      ...separateGroups(plans, fact),
      ...(measures.length === 0 ? unnamedMeasure(intent, fact) : []),
      ...unmatched.names.map(notFound),
      ...(unmatched.words.length === 0
        ? []
        : [`Not used: no rule reads ${unmatched.words.map((word) => `"${word}"`).join(", ")}.`]),
    ],
    notes: [
      ...fact.ambiguous,
      ...sharedNames(fact),
      ...(fact.measure.note === undefined ? [] : [fact.measure.note]),
      ...coarser(fact, intent),
      ...largestOnly(plans, intent),
    ],
    periods: scope.periods,
  };
}

/** Two words that stand together in a column's name: `list` of `list price` asks for nothing. */
function namePairs(schema: DataSchema): ReadonlySet<string> {
  const columns = schema.tables.flatMap((table) => table.columns.map(({ name }) => wordsOf(name)));
  return new Set(columns.flatMap((words) => words.slice(1).map((word, i) => `${words[i]} ${word}`)));
}

/** Where a list is cut that was not asked for. */
function largestOnly(plans: readonly SelectPlan[], intent: QueryIntent): readonly string[] {
  return plans.flatMap(({ dimension, limit, ascending, grain }) =>
    limit === undefined ||
    limit === intent.top ||
    dimension === undefined ||
    grain !== undefined ||
    intent.by.length === 0
      ? []
      : [`Only the ${limit} ${ascending === true ? "smallest" : "largest"} are listed.`],
  );
}

function isAboutData(fact: Fact, intent: QueryIntent): boolean {
  const specific = intent.growth || intent.grain !== undefined || fact.dimensions.length > 0;
  const named = intent.compare && fact.filters.some((filter) => filter.values.length > 1);
  return specific || named || intent.general || intent.share || fact.measure.score >= 4;
}

/** Names that were filtered by and do not tell rows apart. */
function sharedNames({ filters }: Fact): readonly string[] {
  return filters
    .filter(({ from, column }) => isSharedName(from.table, column))
    .map(
      ({ from, column }) => `${column} does not tell ${from.table.name} apart: a name may stand for several.`,
    );
}

function notReached(value: AskedValue, fact: Fact): string {
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

/** `by region and channel` asks for each pair; told is each of the two on its own. */
function separateGroups(plans: readonly SelectPlan[], { intent, dimensions }: Fact): readonly string[] {
  const shown = plans.filter(({ dimension, grain }) => dimension !== undefined || grain !== undefined);
  const asked = dimensions.length + (intent.grain === undefined ? 0 : 1);
  return intent.apart || asked < 2 || shown.length < 2
    ? []
    : ["Not grouped by all of them at once: each group is told on its own."];
}

/** `which customers are in DACH`: a list of them by a figure that nobody asked for. */
function unnamedMeasure(intent: QueryIntent, { measure }: Fact): readonly string[] {
  const { general, trade, top, growth, trend, share, compare, aggregate, grain } = intent;
  const asked = [general, trade, growth, trend, share, compare, top, aggregate, grain].some(
    (one) => one !== undefined && one !== false,
  );
  const named = wordsOf(measure.name).some((word) => intent.words.includes(word));
  return asked || named || measure.counts === true
    ? []
    : [`The question names no figure: told is ${lowerFirst(humanLabel(measure.name))}.`];
}

/** What no statement does, in a sentence, and the words it is about. */
interface Missed {
  readonly text: string;
  readonly words: readonly string[];
}

/** `profit` where nothing is called so: other figures must not pass for it. */
function unknownMeasures(intent: QueryIntent, fact: Fact, names: ReadonlySet<string>): readonly Missed[] {
  const measured = wordsOf(fact.measure.name);
  const amount = isMoneyOrQuantity(fact.measure.name);
  const counted = fact.measure.counts === true || measured.some((word) => COUNT_WORDS.includes(word));
  const uncounted = intent.count.length > 0 && !counted && fact.measure.per === undefined;
  const unknown = [...new Set(intent.words)]
    .filter(
      (word) => MEASURES.has(word) && !measured.includes(word) && !(amount && MONEY_WORDS.includes(word)),
    )
    .map((word) => {
      const why = names.has(word) ? `rows of ${fact.table.name} do not have it` : "no column has that name";
      return { text: `Not measured by "${word}": ${why}.`, words: [word] };
    });
  return uncounted
    ? [
        ...unknown,
        {
          text: 'Not counted: no table or column is named by what follows "how many".',
          words: ["many", "number", "count", ...intent.count.slice(0, 1)],
        },
      ]
    : unknown;
}

/** `by colour` where nothing is called so, or where rows do not lead to it. */
function unknownGroups(intent: QueryIntent, fact: Fact, names: ReadonlySet<string>): readonly Missed[] {
  const measured = new Set([...wordsOf(fact.measure.name), ...MEASURED]);
  return intent.by
    .filter((word) => word !== fact.measure.per && pickDimension(word, fact.tables) === undefined)
    .filter((word) => !measured.has(word) && word.length > 1)
    .filter((word) => names.has(word) || !isPlainWord(word, word))
    .map((word) => {
      const why = names.has(word)
        ? `rows of ${fact.table.name} do not lead to it`
        : "no column or table has that name";
      return { text: `Not grouped by "${word.slice(0, 60)}": ${why}.`, words: [word] };
    });
}

function coarser(fact: Fact, intent: QueryIntent): readonly string[] {
  const { time } = fact;
  if (intent.grain === undefined) return [];
  if (time === undefined) return [`Not by ${intent.grain}: the data has no dates.`];
  const grain = atMost(time, intent.grain);
  return grain === intent.grain
    ? []
    : [`Not by ${intent.grain}: ${time.column.name} has no part finer than the ${grain}.`];
}
