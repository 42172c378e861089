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
  /** Names of the arguments that the tool of this name takes. */
  readonly argumentsOf?: (name: string) => readonly string[];
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
const MARK = /<tool_calls?>|\[TOOL_CALLS\]|<function=|<function_calls>|<invoke name=/;
/** Llama writes it before a call. */
const PYTHON_TAG = /(^|\n)[ \t]*<\|python_tag\|>/;
const WRAPPED = /^<(tool_calls|function_calls)>([^]*?)(?:<\/\1>)?$/;
const FENCED = /^```[\w-]*[ \t]*\r?\n?([^]*?)\r?\n?```$/;
const OPEN_FENCE = /^```[\w-]*[ \t]*\r?\n([^`]*)$/;
/** The fence that Gemma writes around calls. */
const TOOL_CODE = /^```tool_code\s/;
const LAST_FENCE = /(?:^|\n)[ \t]*(```[\w-]*[ \t]*\r?\n[^`]*```)$/;
const NAME_KEYS = ["name", "tool", "tool_name", "function", "action"];
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input", "params", "action_input"];
const OTHER_KEYS = new Set(["id", "type", "call_id"]);

/**
 * Calls in the text of a round that has none. A marked call (`<tool_call>`, `[TOOL_CALLS]`, `<function=name>`,
 * `<invoke name="name">`) counts at the beginning of a line, with nothing after it. The `UNMARKED` forms, in a fence or
 * not, count only if they name a tool and nothing but a short announcement comes before them. Undefined where the text
 * is an answer.
 */
export function readWrittenCalls(text: string, options: WrittenCallOptions): WrittenCalls | undefined {
  const whole = text.replace(PYTHON_TAG, "$1").trim();
  if (whole.length > MAX_TEXT || !/[{[<(]|Action/.test(whole)) return undefined;
  const bare = ((FENCED.exec(whole) ?? OPEN_FENCE.exec(whole))?.[1] ?? whole).trim();
  const mark = MARK.exec(bare);
  return mark === null ? readUnmarked(whole, bare, options) : readMarked(bare, mark.index, options);
}

interface Form {
  /** Where a call of this form may begin. */
  readonly begins: RegExp;
  /** The calls, where all of the text is calls of tools. */
  readonly read: (text: string, options: WrittenCallOptions) => readonly WrittenCall[] | undefined;
}

/** Forms that may also be part of an answer. */
const UNMARKED: readonly Form[] = [
  { begins: /(?:^|\n)[ \t]*(?=\{)/, read: readObjects },
  { begins: /(?:^|\n)[ \t]*(?=\[?(?:print[ \t]*\([ \t]*)?[\w.-]+[ \t]*\()/, read: readCode },
  { begins: /(?:^|\n)[ \t]*(?=Action:)/, read: readAction },
];

function readMarked(text: string, start: number, options: WrittenCallOptions): WrittenCalls | undefined {
  const before = text.slice(0, start);
  // An explanation, or code that one introduces.
  if (before.length > MAX_BEFORE || before.includes("```")) return undefined;
  const isOwnLine = before === "" || /\n[ \t]*$/.test(before);
  const found = isOwnLine ? readBlocks(text.slice(start)) : "text around";
  if (found === "text around")
    return text.length <= MAX_MIXED && /\{|<parameter/.test(text.slice(start))
      ? { kind: "mixed" }
      : undefined;
  const calls = found?.map((call) => named(call, options)) ?? [undefined];
  const known = calls.filter((call) => call !== undefined);
  return known.length === calls.length && known.length > 0
    ? { kind: "calls", calls: known, before: before.trim() }
    : { kind: "unreadable" };
}

function readUnmarked(whole: string, bare: string, options: WrittenCallOptions): WrittenCalls | undefined {
  const fence = LAST_FENCE.exec(whole)?.[1];
  for (const { begins, read } of UNMARKED) {
    const alone = read(bare, options);
    if (alone !== undefined) return { kind: "calls", calls: alone, before: "" };
    const start = begins.exec(whole);
    if (fence === undefined && start === null) continue;
    const end = fence ?? whole.slice((start?.index ?? 0) + (start?.[0].length ?? 0));
    const before = whole.slice(0, whole.length - end.length);
    // An explanation, or code that one introduces.
    if (before.length > MAX_BEFORE || before.includes("```")) continue;
    const calls = read((FENCED.exec(end)?.[1] ?? end).trim(), options);
    if (calls !== undefined) return { kind: "calls", calls, before: before.trim() };
  }
  const code = fence ?? whole;
  return TOOL_CODE.test(code) && whole.length - code.length <= MAX_BEFORE
    ? { kind: "unreadable" }
    : undefined;
}

/** All of the text is one object, a list of them, or one after the other. */
function readObjects(text: string, options: WrittenCallOptions): readonly WrittenCall[] | undefined {
  if (!/^[{[]/.test(text)) return undefined;
  const calls = everyCall(parseLenient(text) ?? parseLines(text), (object) => {
    if (options.isAnswer?.(object) === true) return undefined;
    const call = callOf(object, true);
    return call === undefined ? callBeside(object, options) : named(call, options);
  });
  return calls?.length === 0 ? undefined : calls;
}

const CODE_CALL = /(print[ \t]*\(\s*)?([\w.-]+)[ \t]*\(/y;
const CODE_TOKEN =
  /\s+|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|-?\d[\d.eE+-]*|([A-Za-z_]\w*)(\s*[=:])?|(?:,\s*)?[\]})]|[[{:,]/y;
const CODE_END = /\s*(\)?)\s*[,;]?\s*/y;
const CODE_WORDS: { readonly [word: string]: string } = { True: "true", False: "false", None: "null" };

/** `name(query="x", n=3)`, `name({"query": "x"})` or `name("x")`, bare or in `print(...)`; several in a row or in a list. */
function readCode(text: string, options: WrittenCallOptions): readonly WrittenCall[] | undefined {
  const code = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1).trim() : text;
  let at = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(code);
    at += found?.[0].length ?? 0;
    return found;
  };
  const calls: WrittenCall[] = [];
  do {
    const [begun, print, name = ""] = next(CODE_CALL) ?? [];
    if (begun === undefined) return undefined;
    const tokens: string[] = [];
    for (let token = next(CODE_TOKEN); token?.[0].endsWith(")") !== true; token = next(CODE_TOKEN)) {
      if (token === null) return undefined;
      tokens.push(jsonOf(token));
    }
    const given = tokens.join("").trim();
    const args = parseLenient(given === "" || /^"\w+":/.test(given) ? `{${given}}` : given);
    const hasEnd = (next(CODE_END)?.[1] === ")") === (print !== undefined);
    if (!hasEnd || (!isObject(args) && typeof args !== "string")) return undefined;
    const call = named({ name, arguments: JSON.stringify(args) }, options);
    if (call === undefined) return undefined;
    calls.push(call);
  } while (at < code.length);
  return calls;
}

/** A token of Python or JavaScript as JSON. */
function jsonOf([token, word, colon]: RegExpExecArray): string {
  if (word !== undefined) return colon === undefined ? (CODE_WORDS[word] ?? word) : `"${word}":`;
  if (!/^["']/.test(token)) return token.replace(/^,\s*(?=[\]}])/, "");
  const escapes: { readonly [char: string]: string } = { n: "\n", t: "\t", r: "\r" };
  const text = token
    .slice(1, -1)
    .replace(/\\(?:u([\da-fA-F]{4})|([^]))/g, (_, code?: string, char = "") =>
      code === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
    );
  return JSON.stringify(text);
}

const ACTION = /^Action:[ \t]*([\w.-]+)[ \t]*\r?\n[ \t]*Action Input:([^]*)$/;

/** `Action: name` and `Action Input:` with JSON or one line of text; an invented `Observation:` after it is skipped. */
function readAction(text: string, options: WrittenCallOptions): readonly WrittenCall[] | undefined {
  const [all, name = "", behind = ""] = ACTION.exec(text) ?? [];
  if (all === undefined) return undefined;
  const input = (behind.split(/\n[ \t]*Observation:/, 1)[0] ?? "").trim();
  const json = parseLenient(FENCED.exec(input)?.[1] ?? input);
  const line = input.includes("\n") ? undefined : input;
  const args = isObject(json) || typeof json === "string" ? json : input === "" ? {} : line;
  const call = args === undefined ? undefined : named({ name, arguments: JSON.stringify(args) }, options);
  return call && [call];
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
  let rest = (WRAPPED.exec(text)?.[2] ?? text).trim();
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

/**
 * `<function=name>` or `<invoke name="name">` with JSON in it, or with `<parameter=key>value</parameter>` or
 * `<parameter name="key">value</parameter>` for each argument.
 */
function readFunction(text: string): Block | undefined {
  const [all, name = "", body = ""] =
    /^<(?:function=|invoke name=)"?([\w.-]+)"?>([^]*?)(?:<\/(?:function|invoke)>|(?=<function=|<invoke name=)|$)/.exec(
      text,
    ) ?? [];
  if (all === undefined) return undefined;
  const rest = text.slice(all.length);
  const inner = body.trim();
  const json = parseLenient(inner === "" ? "{}" : inner);
  if (isObject(json)) return { calls: [{ name, arguments: JSON.stringify(json) }], rest };
  const parameters = inner
    .split("<parameter")
    .map((part) => /^(?:=| name=)"?([\w.-]+)"?>\r?\n?([^]*?)\r?\n?<\/parameter>/.exec(part))
    .filter((part) => part !== null);
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

/** `{ name, query: "x" }`: the arguments stand beside the name, and the tool takes all of them. */
function callBeside(object: JsonObject, options: WrittenCallOptions): WrittenCall | undefined {
  for (const key of NAME_KEYS) {
    const { [key]: written, ...args } = object;
    const name = typeof written === "string" ? options.nameOf(written) : undefined;
    const known = name === undefined ? [] : (options.argumentsOf?.(name) ?? []);
    const keys = Object.keys(args);
    if (name !== undefined && keys.length > 0 && keys.every((one) => known.includes(one)))
      return { name, arguments: JSON.stringify(args) };
  }
  return undefined;
}

/** A string, or a comma before the end of an object or a list. */
const LAST_COMMA = /("(?:[^"\\]|\\[^])*"?)|,(?=\s{0,20}[\]}])/g;

/** JSON that may lack its last braces, or have a comma before them. */
function parseLenient(text: string): Json | undefined {
  const trimmed = text.trim();
  const value =
    parseJson(trimmed) ??
    parseJson(`${trimmed}${missingEnd(trimmed)}`) ??
    parseJson(trimmed.replaceAll(LAST_COMMA, "$1"));
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
