import type { Span } from "@troupe/core/text";

import type { SearchHit } from "../retriever.ts";
import { figuresIn, type Comparable } from "../text/says-same.ts";
import { contentKeys } from "../text/words.ts";
import { pathAt, type Placed } from "./chapter.ts";
import { citationOf } from "./citation-of.ts";
import type { Statement } from "./statement.ts";

/** A part of a passage that may become a statement; what ranks it is added by who asks. */
export interface Candidate extends Statement, Comparable, Placed {
  readonly hit: SearchHit;
}

/** `text` where it is told otherwise than it stands there, as a row of a table is. */
export function candidateAt(
  hit: SearchHit,
  { start, end }: Span,
  text = hit.text.slice(start, end),
): Candidate {
  return {
    hit,
    text,
    path: pathAt(hit, start),
    keys: contentKeys(text),
    figures: figuresIn(text),
    citation: citationOf(hit, start, end),
  };
}
