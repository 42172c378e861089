import { referencedIds, type Citation, type ResultTable } from "@troupe/stream";

import { harmless, oneLine } from "./harmless.ts";

/** A query result without its rows. */
export type CitedTable = Omit<ResultTable, "rows">;

/** Characters of a query in the list of sources. */
const MAX_QUERY = 160;

/**
 * Where a chart belongs. A terminal draws none, so the mark would point at nothing. The space before it
 * is tried from its beginning only: from each of its places takes quadratic time.
 */
const CHART_MARKS = /(?<![ \t])[ \t]*\[chart-\d+\](?!\()/g;

/** An answer as a terminal shows it: without marks of charts, and without lines of nothing else. */
export function answerText(content: string): string {
  const lines = harmless(content)
    .split("\n")
    .map((line) => ({ line, left: line.replaceAll(CHART_MARKS, "") }));
  const kept = lines.filter(({ line, left }) => left === line || /[^\s#*_-]/.test(left));
  return kept
    .map(({ left }) => left)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * The sources an answer names: a line for a document that is cited at one place, such as
 * `[1] [3] Travel policy, p. 4`; else the document and a line for each of its places. Then a line for each query
 * result, such as `[2] sales.csv, query: SELECT ...`.
 */
export function sourcesText(
  content: string,
  citations: readonly Citation[],
  tables: readonly CitedTable[] = [],
): string {
  const named = new Set(referencedIds(content));
  const isNamed = (id: string): boolean => named.has(id);
  const documents = new Map<string, Map<string, Set<string>>>();
  for (const citation of citations) {
    // Those of the steps before are in --json; a reader wants what the answer names.
    if (!isNamed(citation.id)) continue;
    const places = documents.get(citation.document) ?? new Map<string, Set<string>>();
    documents.set(citation.document, places);
    const place = placeText(citation);
    places.set(place, (places.get(place) ?? new Set()).add(`[${citation.id}]`));
  }
  const lines = [...documents].flatMap(([document, places]) => {
    const cited = [...places].map(([place, marks]) => ({ place, marks: [...marks].join(" ") }));
    if (cited.length === 1)
      return cited.map(({ place, marks }) => `  ${marks} ${[document, place].filter(Boolean).join(", ")}`);
    return [`  ${document}`, ...cited.map(({ place, marks }) => `    ${marks} ${place}`.trimEnd())];
  });
  const results = tables.flatMap(({ number, title, source = title ?? "query result", query = "" }) => {
    if (number === undefined || !isNamed(number)) return [];
    const sql = oneLine(query);
    const shown = sql.length > MAX_QUERY ? `${sql.slice(0, MAX_QUERY - 3).trimEnd()} ...` : sql;
    return [`  [${number}] ${source}${shown === "" ? "" : `, query: ${shown}`}`];
  });
  return harmless([...lines, ...results].join("\n"));
}

function placeText({ page, pageLabel, section }: Citation): string {
  const where = section === undefined || section === "" ? [] : [`§ ${section}`];
  if (page === undefined) return where.join("");
  const printed = pageLabel === undefined || pageLabel === String(page);
  return [printed ? `p. ${page}` : `p. ${pageLabel} (PDF page ${page})`, ...where].join(", ");
}
