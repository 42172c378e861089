import { looseObject, type LooseObject } from "./loose.ts";

/** An object begins with a brace that a quote or its end follows: braces of prose and code are none. */
const BEGINNING = /\{[ \t\r\n]*["}]/g;
const FENCED = /^```\w*[ \t]*\r?\n?([^]*?)\r?\n?```$/;
/** Broken objects that are passed over, so that the work stays linear. */
const MAX_BROKEN = 32;

/** An object is a response when it has a content to show or asks for the person. */
export function isResponse(object: LooseObject): boolean {
  return typeof object["content"] === "string" || "require_user_input" in object;
}

/** It says whether the task is complete, or that the person is asked. */
export function isFlagged(object: LooseObject): boolean {
  return "is_task_complete" in object || "require_user_input" in object;
}

/** A JSON object with its place in the text. */
export interface FoundObject {
  readonly object: LooseObject;
  readonly start: number;
  readonly end: number;
}

/** The complete objects of the text that are responses to `counts`, as `findObjects` finds them. */
export function findResponses(
  text: string,
  counts: (object: LooseObject, start: number) => boolean = () => true,
): readonly FoundObject[] {
  return findObjects(text, (object, start) => isResponse(object) && counts(object, start));
}

/**
 * The complete JSON objects of the text that `counts` accepts, in their order. Text and fences around them are passed
 * over. An object that stands in another, or escaped in a string of it, is a part of that one and
 * never found by itself. Linear in the text.
 */
export function findObjects(
  text: string,
  counts: (object: LooseObject, start: number) => boolean,
): readonly FoundObject[] {
  const found: FoundObject[] = [];
  let broken = 0;
  for (let at = 0; broken <= MAX_BROKEN;) {
    BEGINNING.lastIndex = at;
    const start = BEGINNING.exec(text)?.index;
    if (start === undefined) break;
    const span = spanOf(text, start);
    const object = span.end === undefined ? undefined : parseObject(text.slice(start, span.end));
    if (object === undefined) broken++;
    else if (span.end !== undefined && counts(object, start)) found.push({ object, start, end: span.end });
    const next = span.end ?? span.inString;
    if (next === undefined) break;
    at = next;
  }
  return found;
}

/** The object that the text is as a whole, but for white space and a fence around it. */
export function wholeObject(text: string): LooseObject | undefined {
  const bare = text.trim();
  const inside = (bare.startsWith("```") ? (FENCED.exec(bare)?.[1] ?? bare) : bare).trim();
  return inside.startsWith("{") && inside.endsWith("}") ? parseObject(inside) : undefined;
}

/** The text begins, but for white space and a fence, with an object. */
export function beginsWithObject(text: string): boolean {
  return /^\s*(?:```\w*\s*)?\{\s*"/.test(text);
}

/**
 * Where the object that begins at `start` ends. Where it does not, the first place within one of
 * its strings at which another begins: a string that was never closed may have swallowed it.
 */
function spanOf(
  text: string,
  start: number,
): { readonly end?: number | undefined; readonly inString?: number | undefined } {
  let depth = 0;
  let inString: number | undefined;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) quoted = !quoted;
    else if (quoted && code === 92) at++;
    else if (quoted && code === 123) inString ??= begins(text, at) ? at : undefined;
    else if (!quoted && (code === 123 || code === 91)) depth++;
    else if (!quoted && (code === 125 || code === 93) && --depth === 0) return { end: at + 1 };
  }
  return { inString };
}

function begins(text: string, at: number): boolean {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return code === 34 || code === 125;
  }
  return false;
}

/** Undefined where the text is not one JSON object. */
export function parseObject(json: string): LooseObject | undefined {
  try {
    return looseObject(JSON.parse(json));
  } catch {
    return undefined;
  }
}
