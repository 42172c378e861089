import type { Json } from "@troupe/stream";
import { z } from "zod";

import { CHARS_A_LOOK } from "./walk.ts";
import { anything, isList, isObject, numberOf, SchemaError, type Keyword, type Keywords } from "./keyword.ts";

const TYPES: { readonly [type: string]: (value: Json) => boolean } = {
  // JSON.parse makes an infinite number of one that is too large.
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: isList,
  object: isObject,
};

const type: Keyword = (operand) => {
  const names = isList(operand) ? operand : [operand];
  const tests = names.map((name) => {
    const test = typeof name === "string" && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
    if (test === undefined) throw new SchemaError(`cannot be used: ${JSON.stringify(name)} is no type`);
    return test;
  });
  const says = (): string => `must be of type ${names.map(String).join(" or ")}`;
  return (value, walk) => tests.some((test) => test(value)) || walk.wrong(says);
};

/** A bound of numbers; in draft 4 the word for its exclusive form is a flag beside it. */
function bound(
  words: string,
  holds: (value: number, bound: number) => boolean,
  exclusive?: { readonly flag: string; readonly is: Keyword },
): Keyword {
  return (operand, place) => {
    if (typeof operand === "boolean") return anything;
    if (exclusive && place.schema[exclusive.flag] === true) return exclusive.is(operand, place);
    const than = numberOf(operand, place);
    const says = (): string => `must be ${words} ${than}`;
    return (value, walk) => typeof value !== "number" || holds(value, than) || walk.wrong(says);
  };
}

const exclusiveMinimum = bound("more than", (value, than) => value > than);
const exclusiveMaximum = bound("less than", (value, than) => value < than);
const minimum = bound("at least", (value, than) => value >= than, {
  flag: "exclusiveMinimum",
  is: exclusiveMinimum,
});
const maximum = bound("at most", (value, than) => value <= than, {
  flag: "exclusiveMaximum",
  is: exclusiveMaximum,
});

const multipleOf: Keyword = (operand, place) => {
  const unit = numberOf(operand, place);
  if (unit <= 0) throw new SchemaError('cannot be used: "multipleOf" must be more than 0');
  const says = (): string => `must be a multiple of ${unit}`;
  return (value, walk) => typeof value !== "number" || isWhole(value / unit) || walk.wrong(says);
};

/** 0.3 / 0.1 is not quite 3. */
function isWhole(ratio: number): boolean {
  return Math.abs(ratio - Math.round(ratio)) <= 1e-9 * Math.max(1, Math.abs(ratio));
}

/** In UTF-16 units. */
const length =
  (words: string, holds: (length: number, bound: number) => boolean): Keyword =>
  (operand, place) => {
    const than = numberOf(operand, place);
    const says = (): string => `must have ${words} ${than} characters`;
    return (value, walk) => typeof value !== "string" || holds(value.length, than) || walk.wrong(says);
  };

const minLength = length("at least", (value, than) => value >= than);
const maxLength = length("at most", (value, than) => value <= than);

/** Of a format that zod does not know nothing is checked. */
const format: Keyword = (operand) => {
  if (typeof operand !== "string") throw new SchemaError('cannot be used: "format" must be a string');
  const known = z.fromJSONSchema({ type: "string", format: operand }, { registry: z.registry() });
  const says = (): string => `must be a string of the format "${operand}"`;
  return (value, walk) => {
    if (typeof value !== "string") return true;
    return walk.pay(value.length / CHARS_A_LOOK) && (known.safeParse(value).success || walk.wrong(says));
  };
};

export const SCALARS: Keywords = {
  type,
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
  minLength,
  maxLength,
  format,
};
