import { LimitError } from "../server/limits/limit-error.ts";
import { MAX_JSON_KEYS, MAX_JSON_VALUES } from "../server/limits/weigh-json.ts";

/**
 * Counts the values of a message that was read, and refuses one with more values or different keys than a
 * JSON body may have.
 *
 * @throws LimitError
 */
export function checkValues(message: object): number {
  const keys = new Set<string>();
  const open: object[] = [message];
  let values = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (ArrayBuffer.isView(value)) continue;
    if (!Array.isArray(value)) for (const key in value) keys.add(key);
    for (const child of Object.values(value) as unknown[]) {
      values++;
      if (typeof child === "object" && child !== null) open.push(child);
    }
    if (values > MAX_JSON_VALUES) throw tooMany("values", MAX_JSON_VALUES);
    if (keys.size > MAX_JSON_KEYS) throw tooMany("different keys", MAX_JSON_KEYS);
  }
  return values;
}

function tooMany(what: string, limit: number): LimitError {
  return new LimitError(
    "TOO_LARGE",
    `The message holds more than ${limit} ${what}; send them as a file, or by its address.`,
    { limit },
  );
}
