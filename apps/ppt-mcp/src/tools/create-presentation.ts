import { defineTool, type Tool } from "@troupe/core";
import { cleanLine, LIMITS, THEME_NAMES } from "@troupe/deck";
import { z } from "zod";

import type { StoreOf } from "../state/presentation-store.ts";

const line = (max: number) => z.string().trim().min(1).max(max).transform(cleanLine);

const input = z.strictObject({
  title: line(LIMITS.titleChars).describe("Title of the presentation; also stands in every footer."),
  subtitle: line(LIMITS.titleChars).optional(),
  author: line(200).optional(),
  date: line(100).optional().describe("As it should be read on the title slide."),
  company: line(200).optional(),
  theme: z.enum(THEME_NAMES).default("clear"),
});

export function createPresentation(storeOf: StoreOf): Tool {
  return defineTool({
    name: "powerpoint_create_presentation",
    annotations: { title: "Start a presentation", readOnly: false, destructive: false, openWorld: false },
    output: { data: z.object({ presentation_id: z.string() }) },
    description:
      "Starts a presentation. Call this first: it returns the presentation_id that every other powerpoint tool needs. " +
      "Unless you add a slide of kind title, one is made from these fields.",
    input,
    async execute(given, context) {
      const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const { id } = await storeOf(context).create({
        ...fields,
        title: given.title,
        theme: given.theme,
        slides: [],
      });
      return {
        text: `presentation_id: ${id}\nNext: add slides with powerpoint_add_slide, then powerpoint_save_presentation.`,
        summary: `Started "${given.title}"`,
        given: `presentation_id: ${id}`,
        data: { presentation_id: id },
      };
    },
  });
}
