import type { AgentEvent } from "@troupe/stream";

/**
 * The value with U+FFFD in place of each lone surrogate, in keys too; the value itself where there is
 * none. JSON can write lone surrogates, and clients in Python, Go and others cannot read that JSON.
 */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : (replaceLoneSurrogates(value) as T);
}

/** Runs on every request and event, and allocates nothing. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  const fields = value as { readonly [key: string]: unknown };
  for (const key in fields) if (!key.isWellFormed() || !isWellFormed(fields[key])) return false;
  return true;
}

function replaceLoneSurrogates(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(replaceLoneSurrogates);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.toWellFormed(), replaceLoneSurrogates(entry)]),
  );
}

/** Makes a stream of events well-formed. A pair that is split between two deltas of an item stays a pair. */
export function wellFormedEvents(): (event: AgentEvent) => AgentEvent {
  /** First halves by item. */
  const held = new Map<string, string>();
  return (event) => {
    if (event.type !== "text-delta") return wellFormed(event);
    if (held.size === 0 && event.delta.isWellFormed()) return event;
    const key = JSON.stringify([event.stepId, event.attempt, event.itemId]);
    const text = (held.get(key) ?? "") + event.delta;
    const whole = wholeCharacters(text);
    if (whole === text) held.delete(key);
    else held.set(key, text.slice(-1));
    return whole === event.delta && whole.isWellFormed() ? event : { ...event, delta: whole.toWellFormed() };
  };
}

/** The text without the first half of a surrogate pair at its end. */
export function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
