import { deckSpecSchema, slideSchema, THEME_NAMES, type DeckSpec, type SlideSpec } from "@troupe/deck";
import { z } from "zod";

/**
 * A presentation in the making, as it is stored. A slide keeps the place it asked for: calls of one
 * round may arrive in any order, and a slide that was refused can be sent again to its own place.
 */
export const presentationSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  /** Who made it, where callers are authenticated; only they may use it. */
  owner: z.string().exactOptional(),
  /** Milliseconds since the epoch; the file that is saved carries it, so saving twice gives the same bytes. */
  updated: z.number(),
  /** Whether it was ever saved as a file. */
  saved: z.coerce.boolean().default(false),
  title: z.string(),
  subtitle: z.string().exactOptional(),
  author: z.string().exactOptional(),
  date: z.string().exactOptional(),
  company: z.string().exactOptional(),
  theme: z.enum(THEME_NAMES),
  /** Whether the file ends with a list of its sources. */
  sourcesSlide: z.boolean().exactOptional(),
  slides: z.array(z.object({ place: z.number(), slide: slideSchema })),
});

export type Presentation = z.output<typeof presentationSchema>;
type Placed = Presentation["slides"][number];

/** The deck to write. Without a title slide of its own it gets one from what it was created with. */
export function specOf(presentation: Presentation): DeckSpec {
  const { title, subtitle, author, date, company, theme, sourcesSlide } = presentation;
  const slides = presentation.slides.map(({ slide }) => slide);
  const cover: SlideSpec = {
    kind: "title",
    title,
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(author === undefined ? {} : { author }),
    ...(date === undefined ? {} : { date }),
  };
  return deckSpecSchema.parse({
    v: 1,
    title,
    ...(author === undefined ? {} : { author }),
    ...(company === undefined ? {} : { company }),
    theme,
    ...(sourcesSlide === undefined ? {} : { sourcesSlide }),
    slides: slides.some((slide) => slide.kind === "title") ? slides : [cover, ...slides],
  });
}

/** Adds a slide at its place, counted from 1, or at the end; one that stands there already moves back. */
export function withSlide(
  slides: readonly Placed[],
  slide: SlideSpec,
  place?: number,
): { readonly slides: Placed[]; readonly number: number } {
  const last = slides.at(-1)?.place ?? 0;
  const wanted = place ?? last + 1;
  const taken = slides.findIndex((other) => other.place === wanted);
  const added = { place: wanted, slide };
  const next =
    taken === -1
      ? [...slides, added].sort((a, b) => a.place - b.place)
      : renumber([...slides.slice(0, taken), added, ...slides.slice(taken)]);
  return { slides: next, number: next.findIndex((other) => other.slide === slide) + 1 };
}

export function withoutSlide(slides: readonly Placed[], number: number): Placed[] {
  return renumber(slides.filter((_, i) => i !== number - 1));
}

export function withMoved(slides: readonly Placed[], from: number, to: number): Placed[] {
  const moved = slides[from - 1];
  if (moved === undefined) return [...slides];
  const rest = slides.filter((other) => other !== moved);
  return renumber([...rest.slice(0, to - 1), moved, ...rest.slice(to - 1)]);
}

const renumber = (slides: readonly Placed[]): Placed[] =>
  slides.map(({ slide }, i) => ({ place: i + 1, slide }));
