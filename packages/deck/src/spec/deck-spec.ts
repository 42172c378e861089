import { z } from "zod";

import { LIMITS } from "./limits.ts";
import { slideSchema } from "./slide-schema.ts";
import { THEME_NAMES } from "./theme.ts";

/** A deck as data: what to say, slide by slide, never where to put it. */
export const deckSpecSchema = z.object({
  v: z.literal(1),
  title: z.string().trim().min(1).max(LIMITS.titleChars),
  subtitle: z.string().trim().min(1).max(LIMITS.lineChars).exactOptional(),
  author: z.string().trim().min(1).max(200).exactOptional(),
  company: z.string().trim().min(1).max(200).exactOptional(),
  /** BCP 47 tag for spelling and number display. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .default("en-GB"),
  theme: z.enum(THEME_NAMES).default("clear"),
  /**
   * Whether a list of what the deck cites is added at its end. Without it the sources of a slide are at its foot and
   * in its notes. A slide of kind `sources` is shown in any case.
   */
  sourcesSlide: z.boolean().default(true),
  /** One more than a presentation may be given: a cover can be made for it. */
  slides: z.array(slideSchema).max(LIMITS.slides + 1),
});

export type DeckSpec = z.output<typeof deckSpecSchema>;
export type DeckInput = z.input<typeof deckSpecSchema>;
