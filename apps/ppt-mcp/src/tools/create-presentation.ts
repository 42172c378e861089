import { defineTool, type Tool } from "@troupe/core";
import { cleanLine, LIMITS, THEME_NAMES } from "@troupe/deck";
import { z } from "zod";

import type { StoreOf } from "../state/presentation-store.ts";

const line = (max: number) => z.string().trim().min(1).max(max).transform(cleanLine);

const input = z.strictObject({
  title: line(LIMITS.titleChars).describe("Also in every footer"),
  subtitle: line(LIMITS.titleChars).optional(),
  author: line(200).optional(),
  date: line(100).optional().describe("As it is read on the title slide"),
  company: line(200).optional(),
  sources_slide: z
    .boolean()
    .default(true)
    .describe("Whether a list of the sources is added at the end; can be set when saving, too"),
});

export function createPresentation(storeOf: StoreOf): Tool {
  return defineTool({
    name: "powerpoint_create_presentation",
    annotations: { title: "Start a presentation", readOnly: false, destructive: false, openWorld: false },
    output: { data: z.object({ presentation_id: z.string() }) },
    description:
      "Starts a presentation and returns the presentation_id that the other tools need. " +
      "Unless you add a slide of kind title, slide 1 is made from these fields.",
    input,
    async execute(given, context) {
      const { sources_slide: sourcesSlide, ...named } = given;
      const fields = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
      const [theme] = THEME_NAMES;
      const { id } = await storeOf(context).create({
        ...fields,
        title: given.title,
        theme,
        sourcesSlide,
        slides: [],
      });
      return {
        text: `presentation_id: ${id}\nSlide 1 is the title slide, made from these fields unless you add one of kind title.\nNext: add slides with powerpoint_add_slide, then powerpoint_save_presentation.`,
        summary: `Started "${given.title}"`,
        given: `presentation_id: ${id}`,
        data: { presentation_id: id },
      };
    },
  });
}
