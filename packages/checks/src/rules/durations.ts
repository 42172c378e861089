import type { Claim } from "../claim.ts";
import type { Passage } from "../evidence/passage.ts";
import { DEFAULT_YEAR, timestamp } from "../text/dates.ts";
import { datedTimes, type DatedTime, type TimeMention } from "../text/facts.ts";
import type { Figure } from "../text/numbers.ts";
import type { Unit } from "../text/units.ts";
import { forPairs, type Emit, type Space } from "./arithmetic.ts";

const MINUTE = 60;
const DAY_MINUTES = 1440;
const MAX_TIMES = 24;

/** Whether a passage has the figure as a time: `69 minutes` as `1 h 09`, `13` as `13:00`. */
export function standsAmongTimes(figure: Figure, passage: Passage): boolean {
  const [reading] = figure.readings;
  if (reading === undefined || passage.times.length === 0) return false;
  if (/^\d{1,2}\s?h$/.test(figure.raw) && passage.times.some(({ minutes }) => minutes === reading.value * 60))
    return true;
  if (figure.unit?.dimension === "time") {
    const minutes = (reading.value * figure.unit.factor) / MINUTE;
    return passage.times.some((time) => time.mayBeDuration && Math.abs(time.minutes - minutes) < 0.01);
  }
  if (figure.unit !== undefined || figure.scale !== 1 || reading.value > 24) return false;
  return passage.times.some(({ minutes }) => [minutes / 60, minutes / 60 - 12].includes(reading.value));
}

/**
 * Time between two times of day or dates with a time: of the sentence, of a cited passage, or one of each. Pairs within
 * one sentence or row of a passage are tried first.
 */
export function durationSpaces(figure: Figure, claim: Claim): readonly Space[] {
  const unit = figure.unit ?? unitBefore(figure, claim);
  if (unit?.dimension !== "time" || unit.factor > 86_400) return [];
  const stated = claim.facts.times.slice(0, MAX_TIMES);
  const known = claim.cited.map(({ source, times }) => ({ source, times: times.slice(0, MAX_TIMES) }));
  const inUnit =
    (plain: Emit): Emit =>
    (minutes, operation) =>
      plain((minutes * MINUTE) / unit.factor, operation);
  return [
    {
      name: "between two times of a sentence",
      weight: 0.1,
      fill(plain) {
        for (const { source, times } of known)
          forPairs(times, (from, to) => {
            if (!SENTENCE_BREAK.test(source.slice(from.end, to.start))) emitSpan(from, to, inUnit(plain));
          });
      },
    },
    {
      name: "between two times",
      weight: 0.15,
      fill(plain) {
        const emit = inUnit(plain);
        emitSpans(stated, emit);
        for (const { times } of known) emitSpans(times, emit);
        for (const time of stated)
          for (const { times } of known) for (const other of times) emitSpan(time, other, emit);
        emitDatedSpans(unit, claim, plain);
      },
    },
  ];
}

const SENTENCE_BREAK = /\n|[.!?]\s+\p{Lu}/u;

/** `6 July, 22:30, to 22 July, 04:30`: 15.25 days, which are 15 full days and part of the sixteenth. */
function emitDatedSpans({ factor }: Unit, { text, facts, cited, years }: Claim, emit: Emit): void {
  const stated = datedTimes(text, facts);
  for (const known of cited.length === 0 ? [[]] : cited.map((passage) => passage.datedTimes)) {
    const all = [...stated, ...known].slice(0, MAX_TIMES);
    const year = years[0] ?? all.find(({ date }) => date.year !== undefined)?.date.year ?? DEFAULT_YEAR;
    const secondsOf = ({ date, minutes }: DatedTime): number => timestamp(date, year) + minutes * MINUTE;
    forPairs(all, (a, b) => {
      const span = Math.abs(secondsOf(a) - secondsOf(b)) / factor;
      emit(span, "difference");
      if (factor !== DAY_MINUTES * MINUTE) return;
      emit(Math.floor(span), "difference");
      emit(Math.ceil(span), "difference");
    });
  }
}

function emitSpans(times: readonly TimeMention[], emit: Emit): void {
  for (const [index, from] of times.entries())
    for (const to of times.slice(index + 1)) emitSpan(from, to, emit);
}

function emitSpan(a: TimeMention, b: TimeMention, emit: Emit): void {
  const span = Math.abs(a.minutes - b.minutes);
  emit(span, "difference");
  if (a.minutes > b.minutes) emit(DAY_MINUTES - span, "difference");
}

/** `four minutes to the alert and 19 to the declaration`: the second one is in minutes too. */
function unitBefore(figure: Figure, claim: Claim): Figure["unit"] {
  return claim.facts.figures.findLast(
    (other) => other.start < figure.start && other.unit?.dimension === "time",
  )?.unit;
}

/** `two hours and 35 minutes` as one figure, where `figure` is a part of it. */
export function wholeDuration(figure: Figure, claim: Claim): Figure | undefined {
  if (figure.unit?.dimension !== "time") return undefined;
  const parts = claim.facts.figures
    .filter(({ unit }) => unit?.dimension === "time")
    .toSorted((a, b) => a.start - b.start);
  const at = parts.indexOf(figure);
  return join(figure, parts[at + 1], claim.text) ?? join(parts[at - 1], figure, claim.text);
}

function join(first: Figure | undefined, second: Figure | undefined, text: string): Figure | undefined {
  if (first?.unit === undefined || second?.unit === undefined || first.unit.factor <= second.unit.factor)
    return undefined;
  if (!/^\s*(?:,|and|und|et|e|y|en)?\s*$/.test(text.slice(first.end, second.start))) return undefined;
  const [long, short] = [first.readings[0]?.value ?? 0, second.readings[0]?.value ?? 0];
  const value = (long * first.unit.factor) / second.unit.factor + short;
  return {
    ...second,
    raw: text.slice(first.start, second.end),
    readings: [{ value, decimals: 0 }],
    start: first.start,
  };
}
