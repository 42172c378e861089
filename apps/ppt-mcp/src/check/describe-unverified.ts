import { clip } from "@troupe/core";
import { LIMITS, type SlideSpec } from "@troupe/deck";

import type { UnverifiedStatement } from "./check-slides.ts";

const MAX_LINES = 20;
const MAX_STATEMENT = 160;
const MAX_NOTE = 2_000;

/** Maps the number of a slide to its number in the file, which differs if an earlier slide takes several. */
type InFile = (number: number) => number;

/** One line a statement: where it is and what was not found. */
export function describeUnverified(
  unverified: readonly UnverifiedStatement[],
  inFile: InFile = (number) => number,
): readonly string[] {
  const lines = unverified
    .slice(0, MAX_LINES)
    .map(
      (one) =>
        `- ${describeSlide(one.slide, inFile)}, ${one.statement.place}: "${clip(one.statement.text, MAX_STATEMENT)}": ${problemOf(one)}.`,
    );
  const more = unverified.length - lines.length;
  return more > 0 ? [...lines, `- and ${more} more`] : lines;
}

const describeSlide = (number: number, inFile: InFile): string =>
  inFile(number) === number
    ? `slide ${number}`
    : `slide ${inFile(number)} of the file (slide_number ${number})`;

/** What to do about them. */
export const CORRECT =
  "Correct them with powerpoint_replace_slide: with the source that has it, or without the statement.";

/** One line for a presentation without any sources: how many statements have figures, and on which slides. */
export function describeUnsourced(
  unverified: readonly UnverifiedStatement[],
  inFile: InFile = (number) => number,
): readonly string[] {
  if (unverified.length === 0) return [];
  const slides = [...new Set(unverified.map(({ slide }) => inFile(slide)))];
  const statements = unverified.length === 1 ? "statement with figures has" : "statements with figures have";
  const where = `${slides.length === 1 ? "slide" : "slides"} ${slides.join(", ")}`;
  return [`${unverified.length} ${statements} no source: ${where}.`];
}

/** What was not found, in words. */
export function problemOf({ finding: { kind, detail } }: UnverifiedStatement): string {
  const missing = clip(missingIn(detail), MAX_STATEMENT);
  switch (kind) {
    case "unknown":
      return `${missing} is no source of the slide`;
    case "quote":
      return "these words are in no source";
    case "uncited":
      return missing === "" ? "it has no source" : wasNotFound(missing);
    case "unit":
      return `the sources have ${missing} with another unit`;
    case "contradicted":
      return `the source says otherwise: "${missing}"`;
    case "not-there":
      return "the source does not say so";
    default:
      return wasNotFound(missing);
  }
}

function wasNotFound(missing: string): string {
  return `${missing} ${missing.includes(", ") ? "were" : "was"} not found`;
}

/** The slide with a line in its notes that names what was not found, for the person who opens the file. */
export function withNotFoundNote(slide: SlideSpec, unverified: readonly UnverifiedStatement[]): SlideSpec {
  if (unverified.length === 0) return slide;
  const found = unverified.map(({ statement, finding }) => {
    const text = clip(statement.text, MAX_STATEMENT);
    if (finding.kind === "quote" || finding.kind === "not-there") return `“${text}”`;
    if (finding.kind === "contradicted")
      return `“${text}”, for the source says “${clip(finding.detail, MAX_STATEMENT)}”`;
    return `${missingIn(finding.detail)} (${text})`;
  });
  const line = clip(`Not found in the sources: ${[...new Set(found)].join("; ")}`, MAX_NOTE);
  const notes = (slide.notes ?? "").slice(0, LIMITS.notesChars - line.length - 2).trimEnd();
  return { ...slide, notes: notes === "" ? line : `${notes}\n\n${line}` };
}

/** Without the ids that citations have in the check. */
const missingIn = (detail: string): string => detail.replace(/; found in \[[^\]]*\].*$/s, "");
