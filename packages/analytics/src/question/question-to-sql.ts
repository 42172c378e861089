import type { DataSchema } from "../types/schema.ts";
import type { ColumnValues } from "../types/values.ts";
import { readIntent, type QueryIntent } from "./query-intent.ts";
import { buildSelect, countSelect, scopeOfPlan, type SelectPlan } from "./build-select.ts";
import { combineTables } from "./combine-tables.ts";
import { chooseFact, type Fact } from "./fact.ts";
import { isFunctionWord } from "./function-words.ts";
import { consumedTerms } from "./consumed-terms.ts";
import { schemaWords } from "./match-values.ts";
import { missedOf, unmatchedTexts } from "./missed.ts";
import { notesOf } from "./notes.ts";
import { planStatements } from "./plan-statements.ts";
import { readTokens } from "./read-tokens.ts";
import { unmatchedTerms } from "./unmatched-terms.ts";
import { scopeOf, scopeText, type Scope } from "./scope.ts";
import { partialPeriods, type PartialPeriod } from "./time-grain.ts";
import { titleOf } from "./title.ts";
import { tokensOf } from "./tokens.ts";
import { wordsOf } from "../names/words.ts";

/** A statement that answers a part of a question. */
export interface QuestionSql {
  /** What it shows, such as `Revenue by quarter`. */
  readonly title: string;
  readonly sql: string;
  /** What was left out on purpose, and which periods are not whole; undefined when nothing and none. */
  readonly note: string | undefined;
  /** First days of the periods it shows of which the data has only a part. */
  readonly partial: readonly string[];
  /** What its rows were filtered by, such as `region is DACH, order_date in 2024`; empty when they were not. */
  readonly filter: string;
  /** Counts the rows it reads: `kept`, `all`, and the `first` and `last` time. */
  readonly countSql: string;
}

/** What fixed rules make of a question. */
export interface QuestionReading {
  readonly statements: readonly QuestionSql[];
  /** What the question says and the statements do not do; each begins with `Not used: `. */
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
  tables: DataSchema,
  occurring: readonly ColumnValues[] = [],
  today?: string,
): QuestionReading {
  const { schema, values } = combineTables(tables, occurring);
  const tokens = tokensOf(question);
  const names = schemaWords(
    schema.tables.flatMap((table) => [table.name, ...table.columns.map((one) => one.name)]),
  );
  const read = readTokens(question, tokens, schema, values, names, today);
  const intent = readIntent(tokens, (i) => read.used.has(i));
  const dated = read.periods.periods.length + read.periods.recurring.length > 0;
  const fact = chooseFact(schema, intent, read.values, dated);
  if (fact === undefined || !isAboutData(fact, intent)) return NOTHING;
  const scope = scopeOf(fact, read.periods);
  const planned = planStatements(fact, scope);
  const plans = planned.plans.slice(0, MAX_STATEMENTS);
  const missed = missedOf({
    fact,
    scope,
    plans,
    unplanned: planned.missed,
    read,
    names,
    tables: schema.tables,
  });
  const consumed = consumedTerms(tokens, read.values, fact, scope, plans);
  const said = new Set(missed.words);
  const inCollection = schemaWords([schema.collection]);
  const pairs = namePairs(schema);
  const unmatched = unmatchedTerms(question, tokens, (i) => {
    const word = tokens[i]?.word ?? "";
    const inPair = pairs.has(`${word} ${tokens[i + 1]?.word ?? ""}`);
    if (!inPair && isFunctionWord(tokens[i]?.fold ?? "", word) && tokens[i]?.quote === undefined) return true;
    if (missed.groups && intent.marks.by.includes(i)) return true;
    return read.used.has(i) || consumed.has(i) || said.has(word) || inCollection.has(word);
  });
  return {
    statements: (missed.refused ? [] : plans).map((plan) => {
      const kept = scopeOfPlan(plan, scope);
      const partial = partialOf(fact, plan, kept);
      return {
        title: titleOf(fact, plan, scope),
        sql: buildSelect(fact, plan, scope),
        note:
          plan.range?.note ?? (partial.length === 0 ? undefined : partial.map(({ note }) => note).join(" ")),
        partial: partial.map(({ from }) => from),
        filter: scopeText(kept, fact.time),
        countSql: countSelect(fact, kept),
      };
    }),
    // Where no figure is told, the reason is enough.
    unused: [...missed.texts, ...(plans.length === 0 || missed.refused ? [] : unmatchedTexts(unmatched))].map(
      (text) => `Not used: ${text}`,
    ),
    notes: notesOf(fact, plans),
    periods: scope.periods,
  };
}

/** Periods at the ends of the data that a statement over time shows and that are not whole. */
function partialOf(
  { time }: Fact,
  { grain, range }: SelectPlan,
  { periods, recurring }: Scope,
): readonly PartialPeriod[] {
  // Of a month of every year nothing is missing because the year is not over.
  if (time?.form !== "date" || grain === undefined || grain === "half" || recurring.length > 0) return [];
  if (range !== undefined) return [];
  return partialPeriods(time.column, grain).filter(
    ({ from, until }) =>
      periods.length === 0 ||
      periods.some(
        (one) =>
          (one.from === undefined || one.from < until) && (one.until === undefined || one.until > from),
      ),
  );
}

/** Two words that stand together in a column's name: `list` of `list price` asks for nothing. */
function namePairs(schema: DataSchema): ReadonlySet<string> {
  const columns = schema.tables.flatMap((table) => table.columns.map(({ name }) => wordsOf(name)));
  return new Set(columns.flatMap((words) => words.slice(1).map((word, i) => `${words[i]} ${word}`)));
}

function isAboutData(fact: Fact, intent: QueryIntent): boolean {
  const specific = intent.growth || intent.grain !== undefined || fact.dimensions.length > 0;
  const named = intent.compare && fact.filters.some((filter) => filter.values.length > 1);
  return specific || named || intent.general || intent.share || fact.measure.score >= 4;
}
