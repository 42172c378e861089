/** Rules of the lint; the names are stable. */
export type LintRule =
  | "off-slide"
  | "overflow"
  | "overlap"
  | "contrast"
  | "empty-placeholder"
  | "missing-title"
  | "font-size"
  | "title-lines"
  | "alt-text"
  | "malformed-part"
  | "dangling-part";

export interface LintProblem {
  readonly rule: LintRule;
  /** Counted from 1; absent for a problem of the file as a whole. */
  readonly slide?: number;
  /** Names the shape and the measured value, for a person or a model to act on. */
  readonly message: string;
}

/** A file with one of these may not open. */
export const BREAKING: ReadonlySet<LintRule> = new Set(["malformed-part", "dangling-part"]);
