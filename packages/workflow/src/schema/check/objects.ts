import { isObject, numberOf, objectOf, isList, SchemaError, type Keyword, type Keywords } from "./keyword.ts";
import type { Check } from "./walk.ts";

const properties: Keyword = (operand, place) => {
  const named = Object.entries(objectOf(operand, place));
  const checks = new Map(named.map(([key, schema]) => [key, place.check(schema)]));
  return (value, walk) => {
    if (!isObject(value)) return true;
    // By whichever are fewer: a schema may name many keys, and a value may have many.
    const keys = walk.keysOf(value);
    return [...(keys.length < checks.size ? keys : checks.keys())].every((key) => {
      const own = checks.get(key);
      return own === undefined || !Object.hasOwn(value, key)
        ? walk.pay(1)
        : walk.enter(key, own, value[key] ?? null);
    });
  };
};

const required: Keyword = (operand) => {
  if (!isList(operand)) throw new SchemaError('cannot be used: "required" must be a list');
  const keys = operand.map(String);
  return (value, walk) =>
    !isObject(value) ||
    keys.every((key) => (Object.hasOwn(value, key) ? walk.pay(1) : walk.enter(key, missing, null)));
};

const missing: Check = (_value, walk) => walk.wrong(() => "is missing");

const additionalProperties: Keyword = (operand, { schema, check }) => {
  const own = schema["properties"];
  const known = new Set(isObject(own) ? Object.keys(own) : []);
  const others = operand === false ? unknown : check(operand);
  return (value, walk) =>
    !isObject(value) ||
    walk
      .keysOf(value)
      .every((key) => (known.has(key) ? walk.pay(1) : walk.enter(key, others, value[key] ?? null)));
};

const unknown: Check = (_value, walk) => walk.wrong(() => "is no key it may have");

const propertyNames: Keyword = (operand, { check }) => {
  const names = check(operand);
  return (value, walk) => !isObject(value) || walk.keysOf(value).every((key) => walk.enter(key, names, key));
};

const count =
  (words: string, holds: (length: number, bound: number) => boolean): Keyword =>
  (operand, place) => {
    const than = numberOf(operand, place);
    const says = (): string => `must have ${words} ${than} keys`;
    return (value, walk) => !isObject(value) || holds(walk.keysOf(value).length, than) || walk.wrong(says);
  };

const minProperties = count("at least", (value, than) => value >= than);
const maxProperties = count("at most", (value, than) => value <= than);

export const OBJECTS: Keywords = {
  properties,
  required,
  additionalProperties,
  propertyNames,
  minProperties,
  maxProperties,
};
