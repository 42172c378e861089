import type { ChartSpec, Citation, Json, JsonObject, ResultTable } from "@troupe/stream";

import type { ToolContext } from "../ports/tool.ts";
import { chartSpecSchema, citationSchema } from "../schemas/response.ts";
import { clip } from "../text/clip.ts";

/** A chart or citation that a model wrote out: as it may be used, or why it may not. */
export type Checked =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: string };

type Evidence = Pick<ToolContext, "shared" | "citations" | "evidence" | "given">;

/** What numbers of a chart may come from. */
interface Source {
  /** Ids that `provenance.resultId` may name it by, the clearest first. */
  readonly names: readonly string[];
  readonly rows: readonly SourceRow[];
  /** Everything that labels of a chart may come from: cells, columns, title, query; the words of a passage. */
  readonly text: string;
  readonly provenance: ChartSpec["provenance"];
}

interface SourceRow {
  /** Cells as text, folded; empty for a line of prose. */
  readonly cells: ReadonlySet<string>;
  readonly values: readonly number[];
}

/** As tools read them, which ignore `foundBy`: nothing in it keeps a chart or citation from being looked up. */
const writtenChart = chartSpecSchema.omit({ foundBy: true });
const writtenCitation = citationSchema.omit({ foundBy: true });

/** `provenance.resultId` of numbers that the person gave. */
const REQUEST = "request";
const MAX_LISTED = 10;
const MAX_TITLE = 80;
/** A chart may write thousands, millions or billions where its source does not, or the other way round. */
const SCALES = [1, 1e3, 1e6, 1e9];

/**
 * Looks up a chart that is not passed as `step/id`: its `provenance.resultId` must name a chart, a query result
 * or a citation of the run or of the steps before, or the request, and its numbers, its x values and the figures of
 * its title and labels must be there. Its source is then named as it is recorded, not as the model wrote it. Rounded
 * numbers are refused.
 */
export function checkChart(written: JsonObject, evidence: Evidence): Checked {
  const sources = sourcesOf(evidence);
  const parsed = writtenChart.safeParse(written);
  if (!parsed.success) return checkOrigin(written, sources);
  const chart = parsed.data;
  const { resultId } = chart.provenance;
  const wanted = resultId.replace(/^\[(.*)\]$/, "$1");
  const named = sources.filter(({ names }) => names.includes(wanted));
  const title = `the chart "${clip(chart.title, MAX_TITLE)}"`;
  if (named.length === 0)
    return refused(
      `${title} names the result "${clip(resultId, MAX_TITLE)}", which nobody found. ${howTo(sources)}`,
    );
  const texts = chart.rows.flatMap((row) =>
    chart.series.flatMap(({ field }) => (typeof row[field] === "string" ? [row[field]] : [])),
  );
  if (texts.length > 0)
    return refused(
      `${title} has text in its series, where only numbers and null may be: ${listOf(texts.map((text) => JSON.stringify(text)))}. Write numbers without quotation marks and units.`,
    );
  const missing = named.map((source) => missingIn(chart, source));
  const at = missing.findIndex(({ numbers, labels }) => numbers.length + labels.length === 0);
  if (at === -1) {
    const { numbers = [], labels = [] } = missing[0] ?? {};
    const problems = [
      ...(numbers.length === 0
        ? []
        : [
            `${title} has numbers that are not in "${wanted}": ${listOf(numbers)}. Write them as they are there, not rounded or computed, beside their own label.`,
          ]),
      ...(labels.length === 0
        ? []
        : [
            `${title} has labels that are not in "${wanted}": ${listOf(labels)}. Write x values, and figures in the title and labels, as they are there.`,
          ]),
    ];
    return refused(`${problems.join(" ")} ${howTo(sources)}`);
  }
  return { ok: true, value: { ...written, provenance: { ...(named[at] ?? chart).provenance } } };
}

/** Where a slide's figures come from, without the figures: it must be the origin of something that was found. */
function checkOrigin(written: JsonObject, sources: readonly Source[]): Checked {
  const { provenance } = written;
  // Not of the right form: the tool says so.
  if (typeof provenance !== "object" || provenance === null || !("source" in provenance))
    return { ok: true, value: written };
  const known = sources.some(
    ({ provenance: { query, source } }) => query === provenance["query"] && source === provenance["source"],
  );
  if (known) return { ok: true, value: written };
  return refused(
    `nothing was found with the source ${clip(JSON.stringify(provenance["source"] ?? ""), MAX_TITLE)}. Pass a chart of a step as step/id.`,
  );
}

/** Looks up a citation that is not passed as `step/id` by its place and its words. */
export function checkCitation(written: JsonObject, { shared, citations = [] }: Evidence): Checked {
  const parsed = writtenCitation.safeParse(written);
  if (!parsed.success) return { ok: true, value: written };
  const { source, start, end, quote, document } = parsed.data;
  const found = [...Object.values(shared.results).flatMap((result) => result.citations), ...citations].find(
    (one) => one.source === source && one.start === start && one.end === end && one.quote === quote,
  );
  if (found === undefined)
    return refused(
      `no tool found the citation of "${clip(document, MAX_TITLE)}" with these words. Pass a citation of a step as step/id.`,
    );
  const { foundBy: _, ...plain } = found;
  return { ok: true, value: plain };
}

const refused = (problem: string): Checked => ({ ok: false, problem });

const listOf = (missing: readonly (string | number)[]): string =>
  [...new Set(missing)]
    .slice(0, MAX_LISTED)
    .map((one) => clip(String(one), MAX_TITLE))
    .join(", ");

function howTo(sources: readonly Source[]): string {
  const names = [...new Set(sources.map(({ names: [name = ""] }) => name))];
  const listed = names.slice(0, MAX_LISTED).map((name) => `"${name}"`);
  const there =
    names.length === 0
      ? "There is none"
      : `There is ${listed.join(", ")}${names.length > MAX_LISTED ? " and more" : ""}`;
  return (
    "Pass a chart of a step as step/id. For a chart of other numbers set provenance.resultId to the citation that has " +
    `them, to the id of a query result, or to "${REQUEST}" for numbers that the person gave. ${there}.`
  );
}

interface Missing {
  readonly numbers: readonly number[];
  readonly labels: readonly string[];
}

function missingIn(chart: ChartSpec, { rows, text }: Source): Missing {
  const { x, series } = chart;
  const numbers = chart.rows.flatMap((row) => {
    const label = x === undefined ? null : (row[x.field] ?? null);
    const own = label === null ? [] : rows.filter(({ cells }) => cells.has(fold(label)));
    const pool = (own.length > 0 ? own : rows).flatMap(({ values }) => values);
    return series.flatMap(({ field }) => {
      const value = row[field];
      return typeof value !== "number" || pool.some((one) => isSame(value, one)) ? [] : [value];
    });
  });
  const source = readLabels(text);
  const xValues = x === undefined ? [] : chart.rows.map((row) => row[x.field] ?? "");
  const fields = x === undefined ? series : [x, ...series];
  const captions = [chart.title, ...fields.flatMap(({ label, unit = "" }) => [label, unit])];
  // A title may count what its chart shows, and a label may name the scale of its numbers.
  const free = new Set([chart.rows.length, series.length, ...SCALES]);
  return {
    numbers,
    labels: [
      ...xValues.filter((value) => !hasLabel(value, source)).map(String),
      ...captions.flatMap((caption) =>
        tokensOf(caption).filter(
          (token) =>
            /^\d/.test(token) && !readingsOf(token).some((one) => free.has(one)) && !hasToken(token, source),
        ),
      ),
    ],
  };
}

/** A text as labels are looked up in it. */
interface LabelSource {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
}

const DATE = /\b\d{4}-\d{2}(?!\d)|\b\d{1,4}([-./])\d{1,2}\1\d{1,4}(?!\d)/g;
const ISO_MONTH = /(?<!\d)\d{4}-(0[1-9]|1[0-2])(?!\d)/g;

function readLabels(source: string): LabelSource {
  const text = folded(source);
  const months = new Set([...text.matchAll(ISO_MONTH)].map(([, month]) => Number(month)));
  const dateParts = (text.match(DATE) ?? []).flatMap((date) => date.split(/[-./]/).map(Number));
  return {
    text,
    words: new Set([...(text.match(/[\p{L}\p{N}]+/gu) ?? []), ...[...months].flatMap(periodWords)]),
    numbers: new Set([...numbersIn(text), ...dateParts]),
  };
}

/** What a label may call a date of that month: `q1`, `h1`, `january`, `jan`. */
function periodWords(month: number): readonly string[] {
  const date = new Date(Date.UTC(2000, month - 1, 1));
  const nameOf = (style: "long" | "short"): string =>
    new Intl.DateTimeFormat("en", { month: style, timeZone: "UTC" }).format(date).toLowerCase();
  return [`q${Math.ceil(month / 3)}`, `h${Math.ceil(month / 6)}`, nameOf("long"), nameOf("short")];
}

const hasLabel = (label: string | number, source: LabelSource): boolean =>
  typeof label === "number"
    ? [...source.numbers].some((one) => isSame(Math.abs(label), Math.abs(one)))
    : tokensOf(label).every((token) => hasToken(token, source));

/** Numbers with their separators, and words: `Q1`, `2025`, `1,450.50`. */
const TOKEN = /(?:\d{1,3}(?:[ .,'’]\d{3}(?!\d))+|\d+)(?:[.,]\d+)?(?![\p{L}\p{N}])|[\p{L}\p{N}]+/gu;

const tokensOf = (label: string): readonly string[] => folded(label).match(TOKEN) ?? [];

function hasToken(token: string, { text, words, numbers }: LabelSource): boolean {
  if (/^[\d.,'’ ]+$/.test(token)) return readingsOf(token).some((one) => numbers.has(one));
  // Scripts without spaces have no words to compare.
  return words.has(token) || (/^\p{Lo}+$/u.test(token) && text.includes(token));
}

const readingsOf = (token: string): readonly number[] => numbersIn(token.replaceAll(/[ '’]/g, ""));

/** Also makes spaces of no-break spaces. */
const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

function isSame(a: number, b: number): boolean {
  const [small, large] = Math.abs(a) < Math.abs(b) ? [a, b] : [b, a];
  // A share and its percent: 0.71 and 71, but not 71 and 7100.
  if (Math.abs(small) <= 1 && isNear(small * 100, large)) return true;
  return SCALES.some((scale) => isNear(small * scale, large));
}

const isNear = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

const fold = (cell: string | number | boolean): string => String(cell).trim().toLowerCase();

function sourcesOf({ shared, citations = [], evidence, given = [] }: Evidence): readonly Source[] {
  const found = Object.entries(shared.results).flatMap(([step, result]) => [
    ...(result.data?.charts ?? []).map((chart) => chartSource(chart, step)),
    ...(result.data?.tables ?? []).map((table) => tableSource(table, step)),
    ...result.citations.map((citation) => citationSource(citation, [`${step}/${citation.id}`, citation.id])),
  ]);
  const named = new Set(found.flatMap(({ names }) => names));
  const own = [
    ...citations.map((citation) => citationSource(citation, [citation.id])),
    ...(evidence?.().tables ?? []).filter(({ id }) => !named.has(id)).map((table) => tableSource(table)),
  ];
  const request = {
    names: [REQUEST],
    rows: given.flatMap(linesOf),
    text: given.join("\n"),
    provenance: provenanceOf(REQUEST, "the request"),
  };
  return [...found, ...own, ...(given.length === 0 ? [] : [request])];
}

const chartSource = ({ id, title, x, series, rows, provenance }: ChartSpec, step: string): Source => ({
  names: [`${step}/${id}`, id, provenance.resultId],
  rows: rows.map((row) => rowOf(Object.values(row))),
  text: textOf(
    [title, provenance.query, ...[x, ...series].flatMap((field) => [field?.label, field?.unit])],
    rows.map((row) => Object.values(row)),
  ),
  provenance,
});

const tableSource = (
  { id, number, title, columns, query = "", source, rows }: ResultTable,
  step?: string,
): Source => ({
  names: [id, ...(number === undefined ? [] : [number])].flatMap((name) =>
    step === undefined ? name : [name, `${step}/${name}`],
  ),
  rows: rows.map(rowOf),
  text: textOf([title, query, ...columns], rows),
  provenance: { resultId: id, query, source: source ?? title ?? id },
});

const citationSource = (
  { passage, quote, document, section }: Citation,
  names: readonly string[],
): Source => ({
  names,
  rows: linesOf(passage ?? quote),
  text: textOf([document, section, passage ?? quote], []),
  provenance: provenanceOf(names[0] ?? "", document),
});

const provenanceOf = (resultId: string, source: string): ChartSpec["provenance"] => ({
  resultId,
  query: "",
  source,
});

/** One line a text or cell, so that figures of two cells are not read as one. */
const textOf = (texts: readonly (string | undefined)[], rows: ResultTable["rows"]): string =>
  [...texts, ...rows.flat()].filter((one) => one !== undefined && one !== null).join("\n");

function rowOf(cells: readonly (Json | undefined)[]): SourceRow {
  const said = cells.filter((cell) => typeof cell === "string" || typeof cell === "number");
  return {
    cells: new Set(said.map(fold)),
    values: said.flatMap((cell) =>
      typeof cell === "number" ? cell : Number(cell.trim() === "" ? Number.NaN : cell),
    ),
  };
}

const linesOf = (text: string): readonly SourceRow[] =>
  text.split("\n").map((line) => ({ cells: new Set<string>(), values: numbersIn(line) }));

const NUMBER = /[-−]?\d(?:[\d.,'’\u00A0\u202F ]*\d)?/g;

/** Every number of a text in each way it may be read: `1.450` is 1450 and 1.45, `12 400` is also 12 and 400. */
function numbersIn(text: string): readonly number[] {
  return (text.match(NUMBER) ?? []).flatMap((written) => {
    const sign = /^[-−]/.test(written) ? -1 : 1;
    const digits = written.replace(/^[-−]/, "").replaceAll(/['’\u00A0\u202F]/g, " ");
    const parts = [digits.replaceAll(" ", ""), ...digits.split(" ")];
    const readings = parts.flatMap((part) => [
      part.replaceAll(",", ""),
      part.replaceAll(".", "").replace(",", "."),
    ]);
    // A range such as 12-14 has no negative number.
    return readings.map(Number).flatMap((value) => (sign < 0 ? [value, -value] : [value]));
  });
}
