import type { ModelRequest } from "@troupe/core";
import { finishCall, lastUserText, toolResults, type Playbook, type PlaybookResult } from "@troupe/models";

import { FACETS, isBroad, topicOf, type Facet } from "./topic.ts";

const PER_FACET = 3;
const PER_QUESTION = 4;

/**
 * Search, extract, check, finish. A broad topic is searched from several sides, one heading each; a
 * question gets the sentences nearest to it. It copies sentences and understands none of them.
 */
export const playbook: Playbook = (request) => {
  const task = taskOf(request);
  const topic = topicOf(task);
  const facets: readonly Facet[] = isBroad(task) ? FACETS : [{ heading: "", words: task }];
  const searches = toolResults(request, "rag_search");
  if (searches.length === 0) {
    return {
      say: `Searching the documents for ${topic}.`,
      calls: facets.map((facet) => ({
        name: "rag_search",
        arguments: { query: query(topic, facet), limit: 6 },
      })),
    };
  }
  if (searches.every((search) => search.isError)) {
    return {
      calls: [
        finishCall({
          content: `The documents could not be searched. ${searches[0]?.text ?? ""}`,
          complete: false,
        }),
      ],
    };
  }
  const extracts = toolResults(request, "summarize");
  if (extracts.length === 0) {
    const found = facets.flatMap((facet, index) => extractCall(topic, facet, searches[index]));
    if (found.length === 0) return nothingFound(topic);
    return { calls: found };
  }
  const draft = compose(facets, extracts, searches);
  if (draft === "") return nothingFound(topic);
  if (toolResults(request, "cite_sources").length === 0) {
    return { calls: [{ name: "cite_sources", arguments: { draft } }] };
  }
  return { calls: [finishCall({ content: draft, citationIds: idsIn(draft) })] };
};

function taskOf(request: ModelRequest): string {
  const text = lastUserText(request);
  return /^Your task: ([\s\S]*?)(?=\n\n|$)/m.exec(text)?.[1] ?? text;
}

const query = (topic: string, facet: Facet): string =>
  facet.heading === "" ? facet.words : `${topic} ${facet.words}`;

function extractCall(topic: string, facet: Facet, search: PlaybookResult | undefined) {
  const ids = search === undefined || search.isError ? [] : idsIn(search.text);
  if (ids.length === 0) return [];
  return [
    {
      name: "summarize",
      arguments: {
        focus: query(topic, facet),
        citation_ids: ids,
        max_sentences: facet.heading === "" ? PER_QUESTION : PER_FACET + 2,
      },
    },
  ];
}

/** Headings with their sentences; a sentence stands once, under the first heading that found it. */
function compose(
  facets: readonly Facet[],
  extracts: readonly PlaybookResult[],
  searches: readonly PlaybookResult[],
): string {
  const asked = facets.filter((_, index) => idsIn(searches[index]?.text ?? "").length > 0);
  const used = new Set<string>();
  const parts: string[] = [];
  for (const [index, extract] of extracts.entries()) {
    const facet = asked[index];
    if (facet === undefined || extract.isError) continue;
    const lines = extract.text
      .split("\n")
      .filter((line) => line.startsWith("- ") && !used.has(line))
      .slice(0, facet.heading === "" ? PER_QUESTION : PER_FACET);
    if (lines.length === 0) continue;
    for (const line of lines) used.add(line);
    parts.push(facet.heading === "" ? lines.join("\n") : `## ${facet.heading}\n${lines.join("\n")}`);
  }
  return parts.join("\n\n");
}

function nothingFound(topic: string): ReturnType<Playbook> {
  return {
    calls: [
      finishCall({
        content: `The documents do not say anything about ${topic}. I searched for those words.`,
      }),
    ],
  };
}

function idsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\[(\d{1,4})\]/g)].map(([, id = ""]) => id))];
}
