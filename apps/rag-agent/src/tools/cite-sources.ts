import { defineTool } from "@troupe/core";
import { checkCitations, formatSources } from "@troupe/retrieval";
import { z } from "zod";

import { writeVerdict } from "./verdict.ts";

/** Many times an answer's length: a draft is read sentence by sentence, each against what it cites. */
const MAX_DRAFT = 100_000;

/** Checks a draft against the passages it cites. No model involved. */
export const citeSources = defineTool({
  name: "cite_sources",
  description:
    "Checks a draft answer: every [n] must be a passage found in this run, every factual sentence must have one, and every " +
    "figure must stand in the passage it cites. Returns what to mend, with the lines of the draft, and the list of sources.",
  input: z.object({
    draft: z
      .string()
      .min(1)
      .max(
        MAX_DRAFT,
        `A draft may have ${MAX_DRAFT.toLocaleString("en")} characters at most; check it in parts.`,
      )
      .describe("The answer with its [n] markers"),
  }),
  idempotent: true,
  async execute(input, { citations = [] }) {
    const problems = checkCitations(input.draft, citations);
    const sources = formatSources(citations.filter((citation) => input.draft.includes(`[${citation.id}]`)));
    return {
      text: `${writeVerdict(input.draft, problems)}\n\nSources:\n${sources}`,
      summary: problems.length === 0 ? "all covered" : `${problems.length} to mend`,
    };
  },
});
