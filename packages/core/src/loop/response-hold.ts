import { isResponseJson, TextBefore } from "../response/response-in-text.ts";

const FENCE = "```\\w{0,10}\\s{0,20}";
const KEYS = [
  "content",
  "is_task_complete",
  "require_user_input",
  "was_task_successful",
  "user_input",
  "input_fields",
  "metadata",
];
/** An object whose first key is one of a response, in a fence or not. */
const BEGUN = new RegExp(`(?:${FENCE})?\\{\\s{0,20}"(?:${KEYS.join("|")})"\\s{0,20}:`);
/** The end of a text that may become that. */
const MAY_BEGIN = new RegExp(`(?:\`{1,2}|${FENCE}|(?:${FENCE})?\\{\\s{0,20}(?:"\\w{0,19}"?\\s{0,20})?)$`);
/** More characters than `MAY_BEGIN` matches. */
const LONGEST = 140;

/**
 * Keeps a response that a model writes as JSON in its text from being shown. Text passes until an object
 * like that begins or may begin. Once the object is closed it passes too, unless it is a response: then
 * everything from there on is held.
 */
export class ResponseHold {
  /** What stands before `held`, and later before the object in it. */
  #before = new TextBefore();
  #held = "";
  /** Where the object begins in `held`, while it is open. */
  #start = 0;
  #end: ObjectEnd | undefined;
  #found = false;

  /** The part of the text that may be shown. */
  push(piece: string): string {
    let shown = "";
    let text = piece;
    while (!this.#found) {
      if (this.#end === undefined) {
        const whole = this.#held + text;
        const { hold, object } = startIn(whole);
        shown += whole.slice(0, hold);
        this.#before.add(whole.slice(0, hold));
        this.#held = whole.slice(hold, object);
        if (object === undefined) return shown;
        this.#start = this.#held.length;
        this.#end = new ObjectEnd();
        text = whole.slice(object);
      }
      const end = this.#end.push(text);
      this.#held += text.slice(0, end);
      if (end === undefined) return shown;
      text = text.slice(end);
      this.#end = undefined;
      const json = this.#held.slice(this.#start);
      this.#before.add(this.#held.slice(0, this.#start));
      this.#found = isResponseJson(json, this.#before);
      if (this.#found) break;
      this.#before.add(json);
      shown += this.#held;
      this.#held = "";
    }
    this.#held += text;
    return shown;
  }

  get held(): string {
    return this.#held;
  }

  /** Ends the hold and returns the text that was held. */
  release(): string {
    const held = this.#held;
    this.#before = new TextBefore();
    this.#held = "";
    this.#end = undefined;
    this.#found = false;
    return held;
  }
}

const CALL_MARKS = [
  "<tool_call>",
  "<tool_calls>",
  "[TOOL_CALLS]",
  "<function=",
  "<function_calls>",
  "<invoke name=",
  "<|python_tag|>",
];
const CALL_OBJECT = '\\[?\\s{0,20}\\{\\s{0,20}"(?:name|tool|tool_name|function|action)"\\s{0,20}:';
const CODE_PREFIX = String.raw`\[?(?:print\()?(?:default_api\.)?`;
const CODE_AT_START = new RegExp(`^${CODE_PREFIX}`);
const CODE_OPENINGS = ["[print(default_api.", "print(default_api.", "[default_api.", "default_api."];

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`);
const CALL_FORMS = [...CALL_MARKS.map(escaped), CALL_OBJECT].join("|");

/** Matches the beginning of a line with a call of one of these tools that is written as text. */
function callPattern(names: readonly string[]): RegExp {
  const tool = names.length === 0 ? "(?!)" : `(?:${names.map(escaped).join("|")})`;
  const code = `${CODE_PREFIX}${tool}\\(`;
  const forms = `${CALL_FORMS}|${code}|Action: ?${tool}\\b`;
  return new RegExp(`(^|\\n)[ \\t]*(?:\`\`\`tool_code\\s|(?:${FENCE})?(?:${forms}))`);
}

const FENCE_MAY_BEGIN = new RegExp(`^(?:\`{1,2}|${FENCE})$`);
const BEHIND_FENCE = new RegExp(`^(?:${FENCE})?`);
const OBJECT_MAY_BEGIN = /^\[?\s{0,20}(?:\{\s{0,20}(?:"\w{0,9}"?\s{0,20})?)?$/;

/** Holds back a tool call that a model writes as text: everything from its first character on. */
export class CallHold {
  readonly #names: readonly string[];
  /** Compiled at the first text, because most rounds with calls have none. */
  #callPattern: RegExp | undefined;
  #held = "";
  #begun = false;
  /** The shown text ends in an empty or blank line. */
  #isLineStart = true;

  /** @param names - the tools that the model is offered */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** The part of the text that may be shown. */
  push(piece: string): string {
    const whole = this.#held + piece;
    this.#held = whole;
    if (this.#begun) return "";
    const from = this.#startIn(whole);
    const shown = whole.slice(0, from);
    this.#held = whole.slice(from);
    const line = shown.slice(shown.lastIndexOf("\n") + 1);
    this.#isLineStart = line.trim() === "" && (shown.includes("\n") || this.#isLineStart);
    return shown;
  }

  get held(): string {
    return this.#held;
  }

  /** Ends the hold and returns the text that was held. */
  release(): string {
    const held = this.#held;
    this.#held = "";
    this.#begun = false;
    this.#isLineStart = true;
    return held;
  }

  #startIn(text: string): number {
    if (!this.#isLineStart && !text.includes("\n")) return text.length;
    const first = this.#isLineStart ? text : `.${text}`;
    this.#callPattern ??= callPattern(this.#names);
    const begun = this.#callPattern.exec(first);
    if (begun !== null) {
      this.#begun = true;
      return begun.index + (begun[1] ?? "").length - (first.length - text.length);
    }
    const tail = Math.max(0, text.length - LONGEST);
    const starts = [...text.slice(tail).matchAll(/\n/g)].map(({ index }) => tail + index + 1);
    if (tail === 0 && this.#isLineStart) starts.unshift(0);
    return starts.find((start) => mayBeginCall(text.slice(start), this.#names)) ?? text.length;
  }
}

function mayBeginCall(line: string, names: readonly string[]): boolean {
  const text = line.replace(/^[ \t]+/, "");
  if (text === "") return false;
  if (FENCE_MAY_BEGIN.test(text)) return true;
  const rest = text.replace(BEHIND_FENCE, "");
  if (rest === "") return false;
  if (OBJECT_MAY_BEGIN.test(rest)) return true;
  const code = rest.replace(CODE_AT_START, "");
  return (
    [...CALL_MARKS, ...CODE_OPENINGS].some((opening) => opening.startsWith(rest)) ||
    names.some((name) => `${name}(`.startsWith(code) || `Action: ${name}`.startsWith(rest))
  );
}

/** Finds where an object ends that is read piece by piece, its opening brace first. */
class ObjectEnd {
  #depth = 0;
  #quoted = false;
  #escaped = false;

  /** The index behind its last character, or behind one that no JSON has there. */
  push(piece: string): number | undefined {
    for (let at = 0; at < piece.length; at++) {
      const char = piece.charAt(at);
      if (this.#escaped) this.#escaped = false;
      else if (char === '"') this.#quoted = !this.#quoted;
      else if (this.#quoted) {
        if (char < " ") return at + 1;
        this.#escaped = char === "\\";
      } else if (char === "{" || char === "[") this.#depth++;
      else if ((char === "}" || char === "]") && --this.#depth === 0) return at + 1;
    }
    return undefined;
  }
}

/** Where holding starts, and the object that has begun there. */
function startIn(text: string): { readonly hold: number; readonly object?: number } {
  if (!/[`{]/.test(text)) return { hold: text.length };
  const begun = BEGUN.exec(text);
  if (begun !== null) return { hold: begun.index, object: begun.index + begun[0].indexOf("{") };
  const from = Math.max(0, text.length - LONGEST);
  const maybe = MAY_BEGIN.exec(text.slice(from));
  return { hold: maybe === null ? text.length : from + maybe.index };
}
