import type { Json } from "@troupe/stream";

import { jsonKey } from "./json-key.ts";
import { anything, isList, listOf, numberOf, type Keyword, type Keywords } from "./keyword.ts";
import type { Check } from "./walk.ts";

/** The same for all entries, behind those that have a schema of their own; in draft 7 it holds these. */
const items: Keyword = (operand, { schema, check }) => {
  if (isList(operand)) return entries(operand.map(check));
  const own = schema["prefixItems"];
  return rest(check(operand), isList(own) ? own.length : 0);
};

const prefixItems: Keyword = (operand, place) => entries(listOf(operand, place).map(place.check));

/** Of draft 7: behind a list of `items`. */
const additionalItems: Keyword = (operand, { schema, check }) => {
  const own = schema["items"];
  return isList(own) ? rest(check(operand), own.length) : anything;
};

function entries(checks: readonly Check[]): Check {
  return (value, walk) =>
    !isList(value) ||
    checks.every((check, at) => at >= value.length || walk.enter(at, check, value[at] as Json));
}

function rest(check: Check, from: number): Check {
  return (value, walk) =>
    !isList(value) || value.every((entry, at) => at < from || walk.enter(at, check, entry));
}

const count =
  (words: string, holds: (length: number, bound: number) => boolean): Keyword =>
  (operand, place) => {
    const than = numberOf(operand, place);
    const says = (): string => `must have ${words} ${than} entries`;
    return (value, walk) => !isList(value) || holds(value.length, than) || walk.wrong(says);
  };

const minItems = count("at least", (value, than) => value >= than);
const maxItems = count("at most", (value, than) => value <= than);

const uniqueItems: Keyword = (operand) => {
  if (operand !== true) return anything;
  return (value, walk) => {
    if (!isList(value)) return true;
    const seen = new Map<string, number>();
    return value.every((entry, at) => {
      const key = jsonKey(entry, (work) => walk.pay(work));
      if (key === undefined) return false;
      const first = seen.get(key);
      if (first !== undefined)
        return walk.wrong(() => `must have different entries; ${at} is the same as ${first}`);
      seen.set(key, at);
      return true;
    });
  };
};

const contains: Keyword = (operand, { schema, check }) => {
  const wanted = check(operand);
  const [least = 1, most = Infinity] = [schema["minContains"], schema["maxContains"]].map((bound) =>
    typeof bound === "number" ? bound : undefined,
  );
  return (value, walk) => {
    if (!isList(value)) return true;
    const fitting = value.filter((entry) => walk.pay(0) && walk.fits(wanted, entry)).length;
    if (fitting >= least && fitting <= most) return walk.pay(0);
    const bounds = most === Infinity ? `at least ${least}` : `${least} to ${most}`;
    return walk.wrong(() => `must have ${bounds} entries of the kind it is to contain, and has ${fitting}`);
  };
};

export const LISTS: Keywords = {
  items,
  prefixItems,
  additionalItems,
  minItems,
  maxItems,
  uniqueItems,
  contains,
};
