import { defineTool, type Tool } from "@troupe/core";
import type { Json } from "@troupe/stream";
import { z } from "zod";

import { requireCollection, type IndexOf } from "./readable-index.ts";
import { answer } from "./summarize/answer.ts";
import { compare } from "./summarize/compare.ts";
import { chapters } from "./summarize/chapters.ts";
import { oneAspect } from "./summarize/one-aspect.ts";

/** Nothing was looked through, so that nothing is said is no answer. */
const NOTHING_YET = {
  text: "There are no documents yet. Add some with the command `ingest PATHS --collection NAME`, then ask again.",
  isError: true,
};

const dataSchema: z.ZodType<Json, Json> = z.object({
  unanswered: z.literal(true).describe("No sentence was found that answers it; it may still be there"),
});

/** Picks the sentences that say most about a subject. No model involved. */
export function summarize(indexOf: IndexOf): Tool {
  return defineTool({
    name: "summarize",
    annotations: { title: "Quote what documents say", readOnly: true, destructive: false, openWorld: false },
    output: { citations: true, data: dataSchema },
    description:
      "Quotes what the ingested documents say, word for word, each sentence with its id in square brackets. With a question as " +
      "subject: the few sentences that answer it, and whether another edition says otherwise; it says so when none does. With an " +
      "aspect: the key facts of a subject from the chapters on that side of it, one call for each side, such as aspect: goals, " +
      "budget, risks. With compare_with: the subject and another side by side. With chapters: what the documents about a subject say, under their own headings.",
    input: z.object({
      subject: z
        .string()
        .trim()
        .min(1)
        .max(2_000)
        .describe("What it is about, such as AI strategy; or a question"),
      aspect: z
        .string()
        .trim()
        .min(1)
        .max(300)
        .optional()
        .describe("One side of the subject, in words a heading would use"),
      compare_with: z
        .string()
        .trim()
        .min(1)
        .max(2_000)
        .optional()
        .describe("Another subject to set beside this one; an aspect narrows what is compared"),
      chapters: z.boolean().default(false).describe("By the headings of the documents about the subject"),
      collection: z.string().min(1).max(200).optional().describe("Only this collection; all when left out"),
      max_sentences: z
        .number()
        .int()
        .min(1)
        .max(20)
        .default(5)
        .describe("In all; of each chapter with chapters"),
    }),
    idempotent: true,
    async execute(input, context) {
      const index = await indexOf(context);
      const { subject, aspect, compare_with: other, max_sentences: max } = input;
      const { chapters: byChapter, collection } = input;
      if ((await index.collections()).length === 0) return NOTHING_YET;
      const within = await requireCollection(index, collection ?? context.collectionId);
      if (other !== undefined) return compare(index, [subject, other], aspect, within, max);
      if (byChapter) return chapters(index, subject, within, max);
      if (aspect !== undefined) return oneAspect(index, { subject, aspect }, within, max);
      return answer(index, subject, within, max);
    },
  });
}
