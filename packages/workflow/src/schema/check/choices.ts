import { clip } from "@troupe/core";
import type { Json } from "@troupe/stream";

import { jsonKey } from "./json-key.ts";
import { listOf, type Keyword, type Keywords } from "./keyword.ts";
import type { Check, Walk } from "./walk.ts";

/** Characters of the values that are named, or of what keeps one alternative from fitting. */
const MAX_NAMED = 120;
/** Alternatives of which is told what keeps them from fitting. */
const MAX_REASONS = 2;

/** `enum`. */
const oneOfThese: Keyword = (operand, place) => {
  const values = listOf(operand, place);
  const keys = new Set(values.map((value) => jsonKey(value)));
  const scalars = values.every(isScalar);
  const says = (): string => {
    const named = clip(values.map((value) => JSON.stringify(value)).join(", "), MAX_NAMED);
    return `must be ${values.length === 1 ? "" : "one of "}${named}`;
  };
  return (value, walk) => {
    if (scalars && !isScalar(value)) return walk.wrong(says);
    const key = jsonKey(value, (work) => walk.pay(work));
    return key !== undefined && (keys.has(key) || walk.wrong(says));
  };
};

/** `const`. */
const exactlyThis: Keyword = (operand, place) => oneOfThese([operand], place);

const anyOf: Keyword = (operand, place) => {
  const checks = listOf(operand, place).map(place.check);
  return (value, walk) =>
    fitting(checks, value, walk, 1) > 0 ? walk.pay(0) : walk.wrong(() => fitsNone(checks, value, walk));
};

const oneOf: Keyword = (operand, place) => {
  const checks = listOf(operand, place).map(place.check);
  return (value, walk) => {
    const found = fitting(checks, value, walk, 2);
    if (found === 1) return walk.pay(0);
    return walk.wrong(() =>
      found > 1 ? "must fit one alternative, and fits several" : fitsNone(checks, value, walk),
    );
  };
};

const allOf: Keyword = (operand, place) => {
  const checks = listOf(operand, place).map(place.check);
  return (value, walk) => checks.every((part) => walk.pay(1) && part(value, walk));
};

const not: Keyword = (operand, { check }) => {
  const unwanted = check(operand);
  return (value, walk) =>
    walk.fits(unwanted, value) ? walk.wrong(() => "must be something else") : walk.pay(0);
};

/** How many of the alternatives a value fits, of which no more than `most` are looked for. */
function fitting(checks: readonly Check[], value: Json, walk: Walk, most: number): number {
  let found = 0;
  for (const check of checks) {
    if (walk.fits(check, value)) found++;
    if (found === most) break;
  }
  return found;
}

function fitsNone(checks: readonly Check[], value: Json, walk: Walk): string {
  const problems = checks.slice(0, MAX_REASONS).map((check) => walk.problem(check, value) ?? "");
  const reasons = problems.map((problem) => clip(problem, MAX_NAMED)).join("; ");
  return `fits none of ${checks.length} alternatives: ${reasons}${checks.length > MAX_REASONS ? "; and so on" : ""}`;
}

function isScalar(value: Json): boolean {
  return typeof value !== "object" || value === null;
}

export const CHOICES: Keywords = {
  enum: oneOfThese,
  const: exactlyThis,
  anyOf,
  oneOf,
  allOf,
  not,
};
