import { defineTool } from "@troupe/core";
import { summarizePassages } from "@troupe/retrieval";
import { z } from "zod";

/** Picks the sentences that say most about a focus from the passages found so far. No model involved. */
export const summarize = defineTool({
  name: "summarize",
  description:
    "Extracts the most telling sentences, word for word and with their [n], from passages that rag_search found in this run. " +
    "Use it to condense many passages. Leave citation_ids empty to use all of them.",
  input: z.object({
    focus: z.string().min(1).describe("What the summary is about"),
    citation_ids: z
      .array(z.string())
      .describe('Numbers of passages found in this run, such as ["1", "4"]; empty means all'),
    max_sentences: z.number().int().min(1).max(40),
  }),
  idempotent: true,
  async execute(input, { citations = [] }) {
    const wanted = new Set(input.citation_ids);
    const passages = citations.filter((citation) => wanted.size === 0 || wanted.has(citation.id));
    if (passages.length === 0) {
      return {
        text: "There are no such passages in this run. Call rag_search first and use the numbers it returns.",
        isError: true,
      };
    }
    const sentences = summarizePassages(passages, input.focus, { maxSentences: input.max_sentences });
    const lines = sentences.map(
      (sentence) => `- ${sentence.text} ${sentence.citationIds.map((id) => `[${id}]`).join("")}`,
    );
    return {
      text: lines.length === 0 ? "None of these passages says anything about that." : lines.join("\n"),
      summary: `${lines.length} sentences from ${passages.length} passages`,
    };
  },
});
