import { isFunctionWord, sameNoun, wordsOf, type Word } from "../words.ts";
import type { Column, Table } from "./read-schema.ts";

export type Period = "day" | "week" | "month" | "quarter" | "year";

/** A measure of a table, added up or averaged. */
export interface Measure {
  readonly column: Column;
  readonly by: "SUM" | "AVG";
}

export interface Filter {
  readonly table: Table;
  readonly column: Column;
  readonly values: readonly string[];
}

/** From the first day to the day before the last, as ISO dates. */
export interface TimeSpan {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** What the words of a question name in the tables. */
export interface Question {
  readonly tables: readonly Table[];
  readonly measures: readonly { readonly table: Table; readonly measure: Measure }[];
  readonly dimensions: readonly { readonly table: Table; readonly column: Column }[];
  readonly filters: readonly Filter[];
  readonly counts: boolean;
  readonly period?: Period;
  readonly spans: readonly TimeSpan[];
  readonly top?: { readonly raw: string; readonly n?: number; readonly descending: boolean };
  /** Words that name nothing in the tables and are no function words. */
  readonly unused: readonly string[];
  /** A word that changes the meaning of the question, such as `without` or `last`. */
  readonly turning?: string;
  /** Columns that the name of one measure fits. */
  readonly ambiguous?: readonly string[];
}

/** Words for data and its presentation, which name no column. */
const GENERIC = new Set(
  (
    "figure figures number numbers data dataset chart charts graph graphs table tables overview kpi kpis value values amount " +
    "total totals sum show plot draw visualise visualize display query sql column columns development breakdown split year-by-year " +
    "create make build prepare presentation deck slides slide report available hold holds collection " +
    "zahlen kennzahlen diagramm tabelle tabellen daten gesamt summe entwicklung entwickelt chiffres données tableau graphique"
  ).split(" "),
);
/** Words that change the meaning of a question and are in no column name. */
const TURNING = new Set(
  (
    "without except excluding not no nor never neither than versus vs compare compared comparison growth grow grew grown " +
    "change changed changes increase increased decrease decreased fell rose drop dropped share shares percent percentage " +
    "ratio last next previous current recent ago since until till before after during if why forecast predict expected plan " +
    "planned target budget correlation median max maximum min minimum difference under above below least rank more less " +
    "fewer average mean only will would should could distinct unique different " +
    "ohne außer nicht kein keine letzten letztes letzte letzter vergleich verglichen wachstum anteil prozent seit warum " +
    "durchschnitt mehr weniger sans sauf pas dernier dernière croissance part pourcentage depuis pourquoi moyenne plus moins"
  ).split(" "),
);
const AVERAGE = new Set(["average", "mean", "durchschnitt", "moyenne"]);
const TOTALS = new Set(["total", "totals", "sum", "gesamt", "summe"]);
const PERIODS: { readonly [word: string]: Period } = {
  day: "day",
  days: "day",
  daily: "day",
  tag: "day",
  täglich: "day",
  jour: "day",
  week: "week",
  weeks: "week",
  weekly: "week",
  woche: "week",
  semaine: "week",
  month: "month",
  months: "month",
  monthly: "month",
  monat: "month",
  monatlich: "month",
  mois: "month",
  quarter: "quarter",
  quarters: "quarter",
  quarterly: "quarter",
  quartal: "quarter",
  trimestre: "quarter",
  year: "year",
  years: "year",
  yearly: "year",
  annual: "year",
  annually: "year",
  jahr: "year",
  année: "year",
  an: "year",
};
const FIRST = new Set(
  "top best highest largest biggest most strongest meisten größten höchsten besten meilleurs".split(" "),
);
const LAST = new Set("bottom lowest smallest worst fewest schlechtesten niedrigsten kleinsten".split(" "));
const BY = new Set(["by", "nach", "par"]);
const COUNTS = new Set(["count", "many", "anzahl", "viele", "combien", "nombre"]);
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
/** A few words for what columns are called. */
const SYNONYMS: { readonly [word: string]: string } = {
  umsatz: "revenue",
  umsätze: "revenue",
  umsatzzahlen: "revenue",
  turnover: "revenue",
  produkt: "product",
  produkte: "product",
  produkten: "product",
  produits: "product",
  produit: "product",
  kunde: "customer",
  kunden: "customer",
  clients: "customer",
  client: "customer",
  land: "country",
  länder: "country",
  sell: "sales",
  sells: "sales",
  sold: "sales",
  ventes: "sales",
  menge: "quantity",
  bestellungen: "orders",
  région: "region",
};
/** Parts of column names that are a unit or mark a key. */
const UNIT = /^(?:eur|usd|gbp|sek|nok|dkk|chf|id|key|no|nr|code|name|pct|percent)$/;
/** Names of measures that are averaged, not added up. */
const RATES =
  /(?:^|_)(?:price|rate|ratio|percent|pct|share|score|rating|temperature|temp|age|index|level|avg|average|mean|margin|discount|latitude|longitude|ph|speed|size|weight|height)(?:_|$)/i;

export function readQuestion(text: string, tables: readonly Table[]): Question {
  const words = wordsOf(text).map((word) => ({ ...word, folded: SYNONYMS[word.folded] ?? word.folded }));
  const left = new Set(words.keys());
  const use = (...at: readonly number[]): void => at.forEach((index) => left.delete(index));
  const foldedAt = (at: number): string => words[at]?.folded ?? "";

  const filters = readFilters(words, tables, use);
  const spans = readSpans(words, left, use);
  let period: Period | undefined;
  let top: Question["top"];
  let counts = false;
  for (const [at, { folded }] of words.entries()) {
    if (!left.has(at)) continue;
    const named = PERIODS[folded];
    if (named !== undefined && !TURNING.has(foldedAt(at - 1))) {
      period = named;
      use(at);
    }
    if ((FIRST.has(folded) || LAST.has(folded)) && foldedAt(at - 1) !== "at") {
      const n = Number(foldedAt(at + 1));
      const isNumber = Number.isSafeInteger(n) && n > 0 && n <= MAX_TOP;
      const raw = words[at]?.raw ?? "";
      top = {
        raw: isNumber ? `${raw} ${n}` : raw,
        descending: FIRST.has(folded),
        ...(isNumber ? { n } : {}),
      };
      use(at, ...(isNumber ? [at + 1] : []));
    }
    if (COUNTS.has(folded) || (folded === "number" && foldedAt(at + 1) === "of")) {
      counts = true;
      use(at);
    }
  }
  const columns = matchColumns(words, left, tables, use);
  const named = tables.filter((table) =>
    words.some((word, at) => {
      if (!coversName(nameWords(table.name), [word.folded])) return false;
      use(at);
      // `top 3 routes by complaints`: rows of that table, none of its measures.
      if (top !== undefined && columns.measures.length === 0 && BY.has(foldedAt(at - 1))) counts = true;
      return true;
    }),
  );
  const averages =
    columns.measures.length > 0 && columns.measures.every(({ measure }) => measure.by === "AVG");
  const rest = [...left].sort((a, b) => a - b).flatMap((at) => words[at] ?? []);
  const open = rest.filter(
    (word) =>
      (TURNING.has(word.folded) && !(averages && AVERAGE.has(word.folded))) ||
      isMonth(word) ||
      (averages && TOTALS.has(word.folded)) ||
      !(isFunctionWord(word) || GENERIC.has(word.folded) || AVERAGE.has(word.folded)),
  );
  const turning = open.find(({ folded }) => TURNING.has(folded));
  return {
    tables: named,
    ...columns,
    filters,
    counts,
    spans,
    ...(period === undefined ? {} : { period }),
    ...(top === undefined ? {} : { top }),
    unused: [...new Set(open.map(({ raw }) => raw))],
    ...(turning === undefined ? {} : { turning: turning.raw }),
  };
}

const MAX_TOP = 100;

/** `May`, not `may`. */
const isMonth = ({ raw, folded }: Word): boolean => MONTHS.includes(folded) && raw !== folded;

/** Values that describe_data shows and whose words are all in the question, in order. */
function readFilters(
  words: readonly Word[],
  tables: readonly Table[],
  use: (...at: readonly number[]) => void,
): readonly Filter[] {
  const filters: Filter[] = [];
  for (const table of tables) {
    for (const column of table.columns) {
      if (column.role !== "category") continue;
      const found = column.samples.flatMap((sample) => {
        const named = wordsOf(sample);
        const parts = named.map(({ folded }) => folded);
        // A value such as `No` is also a word of every other question.
        if (
          named.every(
            (word) =>
              isFunctionWord(word) ||
              TURNING.has(word.folded) ||
              GENERIC.has(word.folded) ||
              !/\p{L}/u.test(word.raw),
          )
        )
          return [];
        const at =
          parts.length === 0
            ? -1
            : words.findIndex((_, i) => parts.every((part, k) => words[i + k]?.folded === part));
        if (at < 0) return [];
        use(...parts.map((_, k) => at + k));
        return [sample];
      });
      if (found.length > 0) filters.push({ table, column, values: found });
    }
  }
  return filters;
}

/** Years, quarters and months of a year; two years with `to` between them are one span. */
function readSpans(
  words: readonly Word[],
  left: ReadonlySet<number>,
  use: (...at: readonly number[]) => void,
): readonly TimeSpan[] {
  const years = words.flatMap(({ folded }, at) =>
    left.has(at) && /^(?:19|20)\d\d$/.test(folded) ? [{ at, year: Number(folded) }] : [],
  );
  const joined = words.flatMap(({ folded }, at) => {
    const [, from, to] = /^((?:19|20)\d\d)[-/]((?:19|20)\d\d)$/.exec(folded) ?? [];
    return from === undefined || to === undefined ? [] : [{ at, from: Number(from), to: Number(to) }];
  });
  const range = joined[0];
  if (range !== undefined && years.length === 0) {
    use(range.at);
    return [spanOf(range.from, 1, range.to, 12, `${range.from} to ${range.to}`)];
  }
  const [first, second] = years;
  if (first !== undefined && second !== undefined && years.length === 2 && second.at === first.at + 2) {
    const between = words[first.at + 1]?.folded ?? "";
    if (
      /^(?:to|through|until|bis|à|and)$/.test(between) &&
      (between !== "and" || words[first.at - 1]?.folded === "between")
    ) {
      use(
        first.at,
        first.at + 1,
        second.at,
        ...(words[first.at - 1]?.folded === "between" ? [first.at - 1] : []),
      );
      return [spanOf(first.year, 1, second.year, 12, `${first.year} to ${second.year}`)];
    }
  }
  return years.map(({ at, year }) => {
    const before = words[at - 1]?.folded ?? "";
    const quarter = Number(/^q([1-4])$/.exec(before)?.[1] ?? 0);
    const month = MONTHS.findIndex((name) => before.length >= 3 && name.startsWith(before)) + 1;
    use(at, ...(quarter + month > 0 ? [at - 1] : []));
    if (quarter > 0) return spanOf(year, quarter * 3 - 2, year, quarter * 3, `Q${quarter} ${year}`);
    if (month > 0) return spanOf(year, month, year, month, `${words[at - 1]?.raw ?? ""} ${year}`);
    return spanOf(year, 1, year, 12, String(year));
  });
}

function spanOf(
  fromYear: number,
  fromMonth: number,
  toYear: number,
  toMonth: number,
  label: string,
): TimeSpan {
  const day = (year: number, month: number): string =>
    `${month > 12 ? year + 1 : year}-${String(month > 12 ? 1 : month).padStart(2, "0")}-01`;
  return { label, from: day(fromYear, fromMonth), to: day(toYear, toMonth + 1) };
}

/** Columns whose whole name is in the question, before those of which one word is. */
function matchColumns(
  words: readonly Word[],
  left: ReadonlySet<number>,
  tables: readonly Table[],
  use: (...at: readonly number[]) => void,
): Pick<Question, "measures" | "dimensions" | "ambiguous"> {
  const all = tables.flatMap((table) =>
    table.columns.map((column) => ({ table, column, parts: nameWords(column.name) })),
  );
  const folded = (): readonly string[] => [...left].flatMap((at) => words[at]?.folded ?? []);
  const whole = all.filter(({ parts }) => coversName(parts, folded()));
  const byOne = all.filter(
    (one) =>
      !whole.includes(one) &&
      one.column.role === "measure" &&
      !whole.some(
        ({ column, parts }) => column.role === "measure" && parts.some((part) => one.parts.includes(part)),
      ) &&
      headOf(one.parts).some((part) => isTelling(part) && folded().some((word) => sameNoun(word, part))),
  );
  const isMeasure = ({ column }: { readonly column: Column }): boolean => column.role === "measure";
  const measures = [...whole.filter(isMeasure), ...byOne];
  const others = whole.filter((one) => !isMeasure(one) && one.column.role !== "date");
  // A word that names a table counts as a column only where no other word names one.
  const isTableName = ({ parts }: { readonly parts: readonly string[] }): boolean =>
    tables.some(({ name }) => coversName(nameWords(name), parts));
  const dimensions = others.some((one) => !isTableName(one))
    ? others.filter((one) => !isTableName(one))
    : others;
  const usedParts = [...measures, ...dimensions].flatMap(({ parts }) => parts);
  for (const at of left) if (usedParts.some((part) => sameNoun(part, words[at]?.folded ?? ""))) use(at);
  return {
    measures: measures.map(({ table, column }) => ({ table, measure: measureOf(column) })),
    dimensions: dimensions.map(({ table, column }) => ({ table, column })),
    ...(byOne.length > 1 ? { ambiguous: byOne.map(({ column }) => column.name) } : {}),
  };
}

/** The main noun of a name: `price` of `unit price`, `revenue` of `net revenue` and `revenue net`. */
function headOf(parts: readonly string[]): readonly string[] {
  const telling = parts.filter((part) => !KIND.has(part));
  return [...new Set([parts.at(-1), telling.at(-1)])].flatMap((part) => part ?? []);
}

const KIND = new Set(["net", "gross", "total", "amount", "value", "sum"]);
const isTelling = (part: string): boolean =>
  part.length > 1 && !TURNING.has(part) && !isFunctionWord({ raw: part, folded: part });

export function measureOf(column: Column): Measure {
  return { column, by: RATES.test(column.name) ? "AVG" : "SUM" };
}

/** The words of a name that are no unit and no key: `product` of `product_name`, `unit`, `price` of `unit_price_eur`. */
export function nameWords(name: string): readonly string[] {
  const parts = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const telling = parts.filter((part) => !UNIT.test(part));
  return telling.length === 0 ? parts : telling;
}

function coversName(parts: readonly string[], words: readonly string[]): boolean {
  return parts.length > 0 && parts.every((part) => words.some((word) => sameNoun(word, part)));
}
