import type { Json } from "@troupe/stream";

import { isList, isObject } from "./keyword.ts";
import { CHARS_A_LOOK } from "./walk.ts";

/**
 * The same text for the same value, in whatever order its keys stand.
 *
 * @param pay undefined is the text where it returns false
 */
export function jsonKey(value: Json, pay: (work: number) => boolean = () => true): string | undefined {
  if (!pay(typeof value === "string" ? value.length / CHARS_A_LOOK : 1)) return undefined;
  if (isList(value)) {
    const parts = keysOf(value, pay);
    return parts && `[${parts.join()}]`;
  }
  if (isObject(value)) {
    const names = Object.keys(value).sort();
    const parts = keysOf(
      names.map((name) => value[name] ?? null),
      pay,
    );
    return parts && `{${names.map((name, at) => `${JSON.stringify(name)}:${parts[at]}`).join()}}`;
  }
  return JSON.stringify(value);
}

function keysOf(values: readonly Json[], pay: (work: number) => boolean): readonly string[] | undefined {
  const keys: string[] = [];
  for (const value of values) {
    const key = jsonKey(value, pay);
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
}
