import { COUNT_WORDS, wordsOf } from "../names/words.ts";
import type { SelectPlan } from "./build-select.ts";
import type { Fact } from "./fact.ts";
import type { AskedValue } from "./filters.ts";
import { isSameDimension, pickDimension } from "./pick-dimension.ts";
import { isMoney, isMoneyOrQuantity, isPrice } from "./column-measure.ts";
import { atMost, eventWords } from "./pick-time.ts";
import type { IntentKind } from "./intent-marks.ts";
import type { QueryIntent } from "./query-intent.ts";
import type { Scope } from "./scope.ts";
import type { Token } from "./tokens.ts";

const MONEY = new Set(["revenue", "sale", "turnover", "umsatz"]);
const OF = new Set(["from", "to", "by"]);

/**
 * The tokens that the plans do what they ask, by index. A word such as `growth` or `customers` that was
 * recognised counts only where a statement shows it.
 */
export function consumedTerms(
  tokens: readonly Token[],
  values: readonly AskedValue[],
  fact: Fact,
  scope: Scope,
  plans: readonly SelectPlan[],
): ReadonlySet<number> {
  const { marks } = fact.intent;
  const consumed = new Set<number>();
  const done = doneBy(fact, scope, plans);
  for (const kind of Object.keys(done) as IntentKind[])
    if (done[kind]) for (const i of marks[kind]) consumed.add(i);
  const names = namesIn(fact);
  // An event that is named tells which date is meant, where there is a period.
  const timed =
    scope.periods.length + scope.recurring.length > 0 || plans.some(({ grain }) => grain !== undefined);
  const events = fact.time === undefined || !timed ? [] : eventWords(fact.time.column, fact.intent.words);
  tokens.forEach((token, i) => {
    if (
      names.has(token.word) ||
      events.includes(token.word) ||
      groupsBy(token.word, fact, plans) ||
      ownsNext(tokens, i, fact, plans)
    )
      consumed.add(i);
  });
  for (const value of values) for (const i of besideValue(tokens, value)) consumed.add(i);
  if (done.compare) tokens.forEach((token, i) => token.fold === "which" && consumed.add(i));
  if (done.trade) tokens.forEach((token, i) => token.fold === "what" && consumed.add(i));
  return consumed;
}

/** Whether the statements do what each kind of word asks. */
function doneBy(
  fact: Fact,
  scope: Scope,
  plans: readonly SelectPlan[],
): Readonly<Record<IntentKind, boolean>> {
  const { intent, measure, time } = fact;
  const some = (fits: (plan: SelectPlan) => boolean): boolean => plans.some(fits);
  const grouped = some(
    (plan) =>
      plan.dimension !== undefined &&
      fact.dimensions.some((one) => isSameDimension(one, plan.dimension ?? one)),
  );
  const asked = intent.grain === undefined || time === undefined ? undefined : atMost(time, intent.grain);
  const timed = some((plan) => plan.grain !== undefined && (plan.grain === asked || plan.years === true));
  const several = scope.filters.some(({ values, negated }) => values.length > 1 && !negated);
  const compared =
    (several && scope.filters.length === 1) ||
    (scope.periods.length > 1 && some((plan) => setsApart(plan, scope))) ||
    ((grouped || timed) && scope.filters.length === 0);
  const extreme = ["min", "max"].includes(fact.intent.aggregate ?? "");
  const filteredShare = scope.filters.some(({ negated }) => !negated);
  const traded = fact.table.columns.some(({ name }) => isMoneyOrQuantity(name) && !isPrice(name));
  return {
    by: grouped || timed || measure.per !== undefined,
    rank:
      extreme ||
      some((plan) => plan.ranked === true) ||
      (some((plan) => plan.limit !== undefined && plan.limit === intent.top) &&
        !some((plan) => plan.grain !== undefined)),
    grain:
      timed ||
      ["month", "quarter", "year", "week", "day"].includes(measure.per ?? "") ||
      (intent.grain !== undefined && time === undefined),
    growth: some((plan) => plan.growth === true || plan.change !== undefined),
    trend: some((plan) => plan.grain !== undefined),
    share:
      some((plan) => plan.part === true) ||
      (some((plan) => plan.share === true) && (grouped || timed) && !filteredShare && !ofRanked(intent)),
    compare: compared,
    aggregate: measure.aggregated === true,
    count: measure.counts === true || measure.name.startsWith("average_number_of") || isPieces(fact),
    general: true,
    trade: traded,
    most: traded,
    total: measure.additive,
  };
}

/** `the share of the top 10`: theirs together, and no statement adds it up. */
function ofRanked({ marks: { share, rank } }: QueryIntent): boolean {
  return share.some((at) => rank.some((other) => other > at));
}

/** Whether a statement shows the periods beside one another. */
function setsApart({ years, change, grain }: SelectPlan, { periods }: Scope): boolean {
  return years === true || change !== undefined || periods.every((period) => period.grain === grain);
}

/** `how many Foresight`: pieces of a value. */
function isPieces({ measure, intent }: Fact): boolean {
  return (
    intent.words.includes("quantity") && wordsOf(measure.name).some((word) => COUNT_WORDS.includes(word))
  );
}

/** Words that name what is measured, and the table whose rows are. */
function namesIn({ measure, table }: Fact): ReadonlySet<string> {
  const measured = wordsOf(measure.name);
  return new Set([
    ...measured,
    ...(isMoney(measure.name) ? MONEY : []),
    ...(measured.includes("eur") ? ["euro"] : []),
    ...(measured.some((word) => COUNT_WORDS.includes(word)) ? COUNT_WORDS : []),
    ...(measure.counted ?? []),
    ...wordsOf(table.name),
  ]);
}

function groupsBy(word: string, fact: Fact, plans: readonly SelectPlan[]): boolean {
  if (!fact.intent.by.includes(word)) return false;
  const found = pickDimension(word, fact.tables);
  return (
    found !== undefined &&
    plans.some(({ dimension }) => dimension !== undefined && isSameDimension(found, dimension))
  );
}

/** `customer` of `customer segment`. */
function ownsNext(tokens: readonly Token[], at: number, fact: Fact, plans: readonly SelectPlan[]): boolean {
  const next = tokens[at + 1]?.word ?? "";
  if (!groupsBy(next, fact, plans)) return false;
  const table = pickDimension(next, fact.tables)?.from.table;
  return table !== undefined && wordsOf(table.name).at(-1) === tokens[at]?.word;
}

/** `DACH customers`, `segment Utility`, `to customers in DACH`: what a value is a value of. */
function besideValue(tokens: readonly Token[], { at, end, places }: AskedValue): readonly number[] {
  const own = new Set(places.flatMap(({ table, column }) => [...wordsOf(table), ...wordsOf(column)]));
  const isOwn = (i: number): boolean => own.has(tokens[i]?.word ?? "");
  if (isOwn(end)) return [end];
  if (isOwn(at - 1)) return [at - 1];
  let i = at - 1;
  while (["in", "from", "the"].includes(tokens[i]?.fold ?? "")) i--;
  return i < at - 1 && isOwn(i) && OF.has(tokens[i - 1]?.fold ?? "") ? [i] : [];
}
