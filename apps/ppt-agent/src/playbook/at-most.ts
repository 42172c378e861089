import type { Section } from "./read-briefing.ts";
import type { Slide } from "./slide-arguments.ts";

/** A step of an earlier run is named by its turn of the conversation: `turn2.research`. */
const EARLIER = /^turn(\d+)\./;
/** `Revenue by quarter`. */
const GROUPED = /\b(?:by|per)\b/i;

/**
 * At most `most` slides, in their order. What must be there stays first, then a slide of each thing that was added to
 * the deck, the latest before the others, then a chart; the rest by rank, statements before charts.
 */
export function atMost(slides: readonly Slide[], most: number): readonly Slide[] {
  const inOrder = new Set([
    ...slides.filter(({ rank }) => rank === 0),
    ...additions(slides),
    ...firstOf(slides.filter(isChart)),
    ...slides.toSorted((a, b) => a.rank - b.rank || Number(isChart(a)) - Number(isChart(b))),
  ]);
  const kept = new Set([...inOrder].slice(0, most));
  return slides.filter((slide) => kept.has(slide));
}

/** Sections that a run found for a deck of before where no slide is of anything that their step found. */
export function withoutSlide(slides: readonly Slide[], sections: readonly Section[]): readonly Section[] {
  const first = Math.min(...sections.map(turnOf));
  const shown = new Set(slides.flatMap(ownStep));
  return sections.filter((one) => turnOf(one) === Infinity && first !== Infinity && !shown.has(one.step));
}

/** A slide of each step that is of a later turn than the deck began with. */
function additions(slides: readonly Slide[]): readonly Slide[] {
  const steps = [...new Set(slides.flatMap(ownStep))].map((step) => ({ step, turn: turnOf({ step }) }));
  const first = Math.min(...steps.map(({ turn }) => turn));
  return steps
    .filter(({ turn }) => turn > first)
    .toSorted((a, b) => (a.turn === b.turn ? 0 : b.turn - a.turn))
    .flatMap(({ step }) => firstOf(slides.filter((slide) => ownStep(slide).includes(step))));
}

/** A chart of groups shows more than a total, which a summary says in words. */
function firstOf(slides: readonly Slide[]): readonly Slide[] {
  const grouped = slides.find(
    (slide) => isChart(slide) && slide.shows?.some(({ section }) => GROUPED.test(section.heading)),
  );
  return grouped === undefined ? slides.slice(0, 1) : [grouped];
}

/** A step of this run comes after all turns. */
function turnOf({ step }: Pick<Section, "step">): number {
  const [, turn] = EARLIER.exec(step) ?? [];
  return turn === undefined ? Infinity : Number(turn);
}

/** Of a slide that is of one section, and no summary of several, the step that found it. */
const ownStep = ({ shows = [] }: Slide): readonly string[] =>
  shows.flatMap(({ section, statement }) => (statement === undefined ? [section.step] : []));

const isChart = ({ argument }: Slide): boolean => argument["kind"] === "chart";
