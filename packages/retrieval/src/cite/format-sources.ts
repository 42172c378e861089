import type { Citation } from "@troupe/stream";

/** Where a citation stands, for a person: `AI Policy, p. 1 (PDF page 11)`. Without pages the section. */
export function formatPlace(citation: Citation): string {
  const { document, page, pageLabel, section } = citation;
  if (page === undefined)
    return section === undefined || section === document ? document : `${document}, "${section}"`;
  if (pageLabel === undefined || pageLabel === String(page)) return `${document}, p. ${page}`;
  const kind = citation.source.toLowerCase().endsWith(".pdf") ? "PDF page" : "page";
  return `${document}, p. ${pageLabel} (${kind} ${page})`;
}

/** One line a place, in order of first use, with the numbers that point to it: `[1][3] AI Policy, p. 4`. */
export function formatSources(citations: readonly Citation[]): string {
  const places = new Map<string, string[]>();
  for (const citation of citations) {
    const place = formatPlace(citation);
    const ids = places.get(place) ?? [];
    if (!ids.includes(citation.id)) ids.push(citation.id);
    places.set(place, ids);
  }
  return [...places].map(([place, ids]) => `${ids.map((id) => `[${id}]`).join("")} ${place}`).join("\n");
}
