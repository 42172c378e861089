import { answerCheck } from "@troupe/checks";
import { defineTool } from "@troupe/core";
import { formatSources } from "@troupe/retrieval";
import { z } from "zod";

import { writeVerdict } from "./verdict.ts";

/** Many times an answer's length: a draft is read sentence by sentence, each against what it cites. */
const MAX_DRAFT = 100_000;
const HOW =
  "Write what the cited passage says, cite the passage that says it, or take the sentence out. Passages of this run:";
const MAX_LISTED = 40;

/** Checks a draft against the passages as they were shown. No model involved. */
export const citeSources = defineTool({
  name: "cite_sources",
  description:
    "Checks a draft answer against the passages found in this run, as they were shown: every [n] must be one of them, every claim " +
    "must have one, and the figures, dates, names and quotes of a sentence must stand in what it cites. Returns one line for each " +
    "sentence to mend, with its line in the draft and what was looked for, and the list of sources.",
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
  async execute({ draft }, { citations = [], evidence }) {
    const found = evidence?.() ?? { citations, tables: [], given: [] };
    const checks = answerCheck.check(draft, found, { bound: "strict" });
    const faults = checks.filter(({ finding }) => finding !== undefined).length;
    const ids = citations.slice(0, MAX_LISTED).map(({ id }) => `[${id}]`);
    const known = ids.length === 0 ? "none; search first" : ids.join(" ");
    const sources = formatSources(citations.filter((citation) => draft.includes(`[${citation.id}]`)));
    return {
      text: `${writeVerdict(draft, checks)}${faults === 0 ? "" : `\n\n${HOW} ${known}.`}\n\nSources:\n${sources}`,
      summary: faults === 0 ? "all covered" : `${faults} to mend`,
    };
  },
});
