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
/** A presentation, or its slides. */
interface Slides {
  readonly slides: readonly Placed[];
}

/** The deck to write. Without a title slide of its own it gets one from what it was created with. */
export function specOf(presentation: Presentation): DeckSpec {
  const { title, author, company, theme, sourcesSlide } = presentation;
  const slides = presentation.slides.map(({ slide }) => slide);
  return deckSpecSchema.parse({
    v: 1,
    title,
    ...(author === undefined ? {} : { author }),
    ...(company === undefined ? {} : { company }),
    theme,
    ...(sourcesSlide === undefined ? {} : { sourcesSlide }),
    slides: hasGeneratedCover(presentation) ? [coverOf(presentation), ...slides] : slides,
  });
}

/** The title slide that is generated from the fields of the presentation. */
export function coverOf({ title, subtitle, author, date }: Presentation): SlideSpec {
  return {
    kind: "title",
    title,
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(author === undefined ? {} : { author }),
    ...(date === undefined ? {} : { date }),
  };
}

/** Whether slide 1 is generated, because no slide of the presentation is a title slide. */
export const hasGeneratedCover = ({ slides }: Slides): boolean =>
  slides.every(({ slide }) => slide.kind !== "title");

/**
 * Number of the slide at an index, from 1. A generated title slide counts as slide 1, so this is the number in the file
 * as long as each earlier slide takes one slide there.
 */
export const numberOf = (presentation: Slides, index: number): number =>
  index + (hasGeneratedCover(presentation) ? 2 : 1);

/** The index of a slide by its number; -1 for a generated title slide. */
export const indexOf = (presentation: Slides, number: number): number => number - numberOf(presentation, 0);

/** How many slides there are, including a generated title slide. */
export const slideCount = (presentation: Slides): number =>
  numberOf(presentation, presentation.slides.length - 1);

/**
 * Adds a slide at its place and moves the one there back; without a place at the end, or as slide 1 if it replaces the
 * generated title slide.
 */
export function withSlide(
  slides: readonly Placed[],
  slide: SlideSpec,
  place?: number,
): { readonly slides: Placed[]; readonly index: number } {
  const wanted =
    place ?? (slide.kind === "title" && hasGeneratedCover({ slides }) ? 1 : (slides.at(-1)?.place ?? 1) + 1);
  const taken = slides.findIndex((other) => other.place === wanted);
  const added = { place: wanted, slide };
  const next =
    taken === -1
      ? [...slides, added].sort((a, b) => a.place - b.place)
      : renumber([...slides.slice(0, taken), added, ...slides.slice(taken)]);
  return { slides: next, index: next.findIndex((other) => other.slide === slide) };
}

export function withoutSlide(slides: readonly Placed[], index: number): Placed[] {
  return renumber(slides.filter((_, i) => i !== index));
}

export function withMoved(slides: readonly Placed[], from: number, to: number): Placed[] {
  const moved = slides[from];
  if (moved === undefined) return [...slides];
  const rest = slides.filter((other) => other !== moved);
  return renumber([...rest.slice(0, to), moved, ...rest.slice(to)]);
}

const renumber = (slides: readonly Placed[]): Placed[] =>
  slides.map(({ slide }, i) => ({ place: numberOf({ slides }, i), slide }));
