import type { SentenceCheck } from "@troupe/stream";

/** Kept apart from the checks, which are part of the response. */
const marksByCheck = new WeakMap<SentenceCheck, readonly string[]>();

/** Remembers the marks by which a sentence without any was compared: those of its intro, paragraph or section. */
export function rememberInheritedMarks(check: SentenceCheck, marks: readonly string[]): void {
  marksByCheck.set(check, marks);
}

/** Empty for a sentence with marks of its own, one that rests on results alone, and a check that was copied. */
export function inheritedMarks(check: SentenceCheck): readonly string[] {
  return marksByCheck.get(check) ?? [];
}
