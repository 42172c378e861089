import type { Citation } from "@troupe/stream";

/** A citation with sensible fields; the quote starts its page. */
export function sampleCitation(id: string, quote: string, fields: Partial<Citation> = {}): Citation {
  return {
    id,
    document: "AI Policy",
    source: "ai-policy.pdf",
    page: 4,
    collection: "docs",
    chunkId: `chunk-${id}`,
    quote,
    start: 0,
    end: quote.length,
    ...fields,
  };
}
