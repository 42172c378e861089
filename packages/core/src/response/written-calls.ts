import { isTooDeep, type Json, type JsonObject } from "@troupe/stream";

import { isList, isObject, parseJson } from "../schemas/json-value.ts";

/** A call that a model wrote as text; `arguments` is JSON text. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
}

export type WrittenCalls =
  /** The text is calls, with at most a short announcement `before` them. */
  | { readonly kind: "calls"; readonly calls: readonly WrittenCall[]; readonly before: string }
  /** The text is marked as a call and cannot be read as one, or names no tool. */
  | { readonly kind: "unreadable" }
  /** A marked call with a few words around it: a call, or an example of one for the person. */
  | { readonly kind: "mixed" };

export interface WrittenCallOptions {
  /** The tool that a name means. */
  readonly nameOf: (written: string) => string | undefined;
  /** Whether such an object may be the answer itself, as where an answer is to be JSON. */
  readonly isAnswer?: (object: JsonObject) => boolean;
}

/** Characters of a text in front of a call that announces it. */
const MAX_BEFORE = 300;
/** Characters of a text with a call in it that may be no answer. */
const MAX_MIXED = 600;
const MAX_TEXT = 200_000;
/** Braces and brackets that may be missing at the end. */
const MAX_MISSING = 4;
const MARK = /<tool_calls?>|\[TOOL_CALLS\]|<function=/;
const FENCED = /^```[\w-]*[ \t]*\r?\n?([^]*?)\r?\n?```$/;
const LAST_FENCE = /(?:^|\n)[ \t]*(```[\w-]*[ \t]*\r?\n[^`]*```)$/;
const NAME_KEYS = ["name", "tool", "tool_name", "function", "action"];
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input", "params", "action_input"];
const OTHER_KEYS = new Set(["id", "type", "call_id"]);

/**
 * Calls in the text of a round that has none. A marked call (`<tool_call>`, `[TOOL_CALLS]`, `<function=name>`) counts
 * at the beginning of a line, with nothing behind it; a JSON object, in a fence or not, only where it has a name of a
 * tool and arguments and nothing else. Undefined where the text is an answer.
 */
export function readWrittenCalls(text: string, options: WrittenCallOptions): WrittenCalls | undefined {
  const whole = text.trim();
  if (whole.length > MAX_TEXT || !/[{[<]/.test(whole)) return undefined;
  const bare = (FENCED.exec(whole)?.[1] ?? whole).trim();
  const mark = MARK.exec(bare);
  return mark === null ? readObjects(whole, bare, options) : readMarked(bare, mark.index, options);
}

function readMarked(text: string, start: number, options: WrittenCallOptions): WrittenCalls | undefined {
  const before = text.slice(0, start);
  // An explanation, or code that one introduces.
  if (before.length > MAX_BEFORE || before.includes("```")) return undefined;
  const isOwnLine = before === "" || /\n[ \t]*$/.test(before);
  const found = isOwnLine ? readBlocks(text.slice(start)) : "text around";
  if (found === "text around")
    return text.length <= MAX_MIXED && text.includes("{", start) ? { kind: "mixed" } : undefined;
  const calls = found?.map((call) => named(call, options)) ?? [undefined];
  const known = calls.filter((call) => call !== undefined);
  return known.length === calls.length && known.length > 0
    ? { kind: "calls", calls: known, before: before.trim() }
    : { kind: "unreadable" };
}

function readObjects(whole: string, bare: string, options: WrittenCallOptions): WrittenCalls | undefined {
  const alone = callsIn(bare, options);
  if (alone !== undefined) return { kind: "calls", calls: alone, before: "" };
  const fence = LAST_FENCE.exec(whole)?.[1];
  const object = fence ?? /(?:^|\n)[ \t]*(\{[^]*)$/.exec(whole)?.[1];
  if (object === undefined) return undefined;
  const before = whole.slice(0, whole.length - object.length);
  if (before.length > MAX_BEFORE || before.includes("```")) return undefined;
  const calls = callsIn(FENCED.exec(object)?.[1] ?? object, options);
  return calls && { kind: "calls", calls, before: before.trim() };
}

/** All of the text is one object, a list of them, or one after the other. */
function callsIn(text: string, options: WrittenCallOptions): readonly WrittenCall[] | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const calls = everyCall(parseLenient(text) ?? parseLines(text), (object) => {
    if (options.isAnswer?.(object) === true) return undefined;
    const call = callOf(object, true);
    return call && named(call, options);
  });
  return calls?.length === 0 ? undefined : calls;
}

function parseLines(text: string): readonly Json[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const values = lines.map((line) => parseLenient(line.replace(/[;,]\s*$/, "")));
  return lines.length > 1 && values.every((value) => value !== undefined) ? values : undefined;
}

function named(call: WrittenCall, { nameOf }: WrittenCallOptions): WrittenCall | undefined {
  const name = nameOf(call.name);
  return name === undefined ? undefined : { ...call, name };
}

/** Block after block; undefined where one cannot be read. */
function readBlocks(text: string): readonly WrittenCall[] | "text around" | undefined {
  const calls: WrittenCall[] = [];
  let rest = text
    .replace(/^<tool_calls>/, "")
    .replace(/<\/tool_calls>$/, "")
    .trim();
  while (rest !== "") {
    const block = readMistral(rest) ?? readTagged(rest) ?? readFunction(rest);
    if (block === undefined)
      return calls.length > 0 && !MARK.test(rest.slice(0, 20)) ? "text around" : undefined;
    calls.push(...block.calls);
    rest = block.rest.trim();
    if (rest !== "" && MARK.exec(rest)?.index !== 0) return "text around";
  }
  return calls;
}

interface Block {
  readonly calls: readonly WrittenCall[];
  readonly rest: string;
}

/** `[TOOL_CALLS] [{...}]`, or `[TOOL_CALLS]name{...}`. */
function readMistral(text: string): Block | undefined {
  if (!text.startsWith("[TOOL_CALLS]")) return undefined;
  const body = text.slice("[TOOL_CALLS]".length).trim();
  const [all, name = "", json = ""] = /^([\w.-]+)\s*(?:\[ARGS\])?\s*(\{[^]*)$/.exec(body) ?? [];
  if (all !== undefined) {
    const args = parseLenient(json);
    return isObject(args) ? { calls: [{ name, arguments: JSON.stringify(args) }], rest: "" } : undefined;
  }
  const calls = everyCall(parseLenient(body), (object) => callOf(object, false));
  return calls && { calls, rest: "" };
}

/** `<tool_call>{...}</tool_call>`; the end may be missing. */
function readTagged(text: string): Block | undefined {
  const [all, body = ""] = /^<tool_call>([^]*?)(?:<\/tool_call>|(?=<tool_call>)|$)/.exec(text) ?? [];
  if (all === undefined) return undefined;
  const rest = text.slice(all.length);
  const inner = body.trim();
  if (inner.startsWith("<function=")) {
    const block = readFunction(inner);
    return block?.rest.trim() === "" ? { calls: block.calls, rest } : undefined;
  }
  const value = parseLenient(FENCED.exec(inner)?.[1] ?? inner) ?? parseLines(inner);
  const calls = everyCall(value, (object) => callOf(object, false));
  return calls && { calls, rest };
}

/** The calls of an object or a list of objects; undefined where one of them is no call. */
function everyCall(
  value: Json | undefined,
  read: (object: JsonObject) => WrittenCall | undefined,
): readonly WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  for (const one of isList(value) ? value : [value]) {
    const call = isObject(one) ? read(one) : undefined;
    if (call === undefined) return undefined;
    calls.push(call);
  }
  return calls;
}

/** `<function=name>{...}</function>`, or with `<parameter=key>value</parameter>` for each argument. */
function readFunction(text: string): Block | undefined {
  const [all, name = "", body = ""] =
    /^<function=([\w.-]+)>([^]*?)(?:<\/function>|(?=<function=)|$)/.exec(text) ?? [];
  if (all === undefined) return undefined;
  const rest = text.slice(all.length);
  const inner = body.trim();
  if (inner === "") return { calls: [{ name, arguments: "{}" }], rest };
  const json = parseLenient(inner);
  if (isObject(json)) return { calls: [{ name, arguments: JSON.stringify(json) }], rest };
  const parameters = [...inner.matchAll(/<parameter=([\w.-]+)>\r?\n?([^]*?)\r?\n?<\/parameter>/g)];
  if (parameters.length === 0) return undefined;
  const args = Object.fromEntries(parameters.map(([, key = "", value = ""]) => [key, value]));
  return { calls: [{ name, arguments: JSON.stringify(args) }], rest };
}

/** `{ name, arguments }` under the names that models use; `strict` where nothing else says that it is a call. */
function callOf(object: JsonObject, strict: boolean): WrittenCall | undefined {
  const { function: inner } = object;
  if (isObject(inner)) return callOf(inner, strict);
  const names = NAME_KEYS.filter((key) => typeof object[key] === "string");
  const given = ARGUMENT_KEYS.filter((key) => Object.hasOwn(object, key));
  const [nameKey, ...otherNames] = names;
  const [key, ...otherKeys] = given;
  const name = nameKey === undefined ? undefined : object[nameKey];
  if (typeof name !== "string" || otherNames.length + otherKeys.length > 0) return undefined;
  if (strict && key === undefined) return undefined;
  const others = Object.keys(object).filter((one) => one !== nameKey && one !== key && !OTHER_KEYS.has(one));
  if (strict && others.length > 0) return undefined;
  const written = key === undefined ? {} : object[key];
  const args = typeof written === "string" ? parseLenient(written) : (written ?? {});
  return isObject(args) ? { name, arguments: JSON.stringify(args) } : undefined;
}

/** JSON that may lack its last braces. */
function parseLenient(text: string): Json | undefined {
  const trimmed = text.trim();
  const value = parseJson(trimmed) ?? parseJson(`${trimmed}${missingEnd(trimmed)}`);
  return value === undefined || isTooDeep(value) ? undefined : value;
}

function missingEnd(text: string): string {
  const open: string[] = [];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (quoted && char === "\\") at++;
    else if (!quoted && (char === "{" || char === "[")) open.push(char === "{" ? "}" : "]");
    else if (!quoted && (char === "}" || char === "]") && open.pop() !== char) return "";
  }
  return quoted || open.length > MAX_MISSING ? "" : open.toReversed().join("");
}
