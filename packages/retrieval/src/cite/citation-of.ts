import type { Citation } from "@troupe/stream";

import { shortHash } from "../chunk/chunk-document.ts";
import type { SearchHit } from "../retriever.ts";
import { pathAt } from "./chapter.ts";

/** The hit's citation, narrowed to a part of its passage; offsets within `hit.text`. */
export function citationOf(hit: SearchHit, start: number, end: number): Citation {
  const from = hit.start + start;
  const to = hit.start + end;
  const section = pathAt(hit, start).at(-1);
  const { section: _, ...rest } = hit.citation;
  return {
    ...rest,
    ...(section === undefined ? {} : { section }),
    id: `s${shortHash(hit.citation.chunkId, String(from), String(to)).slice(0, 8)}`,
    quote: hit.text.slice(start, end),
    start: from,
    end: to,
  };
}
