import { readDelegationPrompt } from "@troupe/core";
import { finishCall, lastUserText, toolResults, type Playbook, type PlaybookResult } from "@troupe/models";

import { FACETS, isBroad, topicOf, type Facet } from "./topic.ts";

/** Collected for a side, one from each section; the first of them, in the order of the document, are told. */
const FROM_FACET = 6;
const PER_FACET = 6;
const PER_QUESTION = 4;
/** Characters a search takes. */
const MAX_QUERY = 2_000;

/**
 * Search, collect statements, check, finish. A broad topic is looked at from several sides, one
 * heading each; a question gets the sentences nearest to it. It copies sentences and understands
 * none of them.
 */
export const playbook: Playbook = (request) => {
  const task = readDelegationPrompt(lastUserText(request)).instruction.slice(0, MAX_QUERY);
  const topic = topicOf(task);
  const broad = isBroad(task);
  const facets: readonly Facet[] = broad ? FACETS : [{ heading: "", words: "" }];
  const [search] = toolResults(request, "rag_search");
  if (search === undefined) {
    return {
      say: `Searching the documents for ${topic}.`,
      calls: [
        { name: "rag_search", arguments: { query: broad ? topic : task, limit: 6 } },
        ...facets.map((facet) => collect(task, topic, facet)),
      ],
    };
  }
  if (search.isError) {
    return {
      calls: [
        finishCall({ content: `The documents could not be searched. ${search.text}`, complete: false }),
      ],
    };
  }
  const draft = compose(facets, toolResults(request, "summarize"));
  if (draft === "" || idsIn(search.text).length === 0) return nothingFound(topic);
  if (toolResults(request, "cite_sources").length === 0) {
    return { calls: [{ name: "cite_sources", arguments: { draft } }] };
  }
  return { calls: [finishCall({ content: draft, citationIds: idsIn(draft) })] };
};

function collect(task: string, topic: string, facet: Facet) {
  const what = facet.words === "" ? { subject: task } : { subject: topic, aspect: facet.words };
  return {
    name: "summarize",
    arguments: { ...what, max_sentences: facet.words === "" ? PER_QUESTION : FROM_FACET },
  };
}

/** Headings with their sentences; a sentence stands once, under the first heading that found it. */
function compose(facets: readonly Facet[], extracts: readonly PlaybookResult[]): string {
  const used = new Set<string>();
  const parts: string[] = [];
  for (const [index, facet] of facets.entries()) {
    const extract = extracts[index];
    if (extract === undefined || extract.isError) continue;
    const [said = "", table = ""] = extract.text.split("\n\n");
    const lines = said
      .split("\n")
      .filter((line) => line.startsWith("- ") && !used.has(line))
      .slice(0, facet.heading === "" ? PER_QUESTION : PER_FACET);
    if (lines.length === 0) continue;
    for (const line of lines) used.add(line);
    const body = [lines.join("\n"), ...(table === "" || used.has(table) ? [] : [table])].join("\n\n");
    used.add(table);
    parts.push(facet.heading === "" ? body : `## ${facet.heading}\n${body}`);
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
