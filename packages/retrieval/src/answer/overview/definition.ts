import { citationOf } from "../../cite/citation-of.ts";
import { readableSentences } from "../../cite/readable-sentences.ts";
import type { Statement } from "../../cite/statement.ts";
import type { SearchHit } from "../../retriever.ts";

/** The sentence that says what a thing is: "Kompass is the assistant that ...". From a list of words too. */
export function definitionIn(hits: readonly SearchHit[], topic: string): Statement | undefined {
  const name = topic.replace(/^(?:the|our|an?)\s+/i, "").toLowerCase();
  for (const hit of hits) {
    if (hit.newerVersion !== undefined || hit.withdrawn) continue;
    for (const { start, end } of readableSentences(hit.text)) {
      const text = hit.text.slice(start, end);
      const rest = text.toLowerCase().replace(/^(?:the|our|an?)\s+/, "");
      if (rest.startsWith(`${name} `) && IS.test(rest.slice(name.length)))
        return { text, citation: citationOf(hit, start, end) };
    }
  }
  return undefined;
}

const IS = /^ (?:is|are) (?:an?|the|our|one of)\b/;
