import { findResponses, parseObject, type FoundObject } from "./find-response.ts";
import { booleanOf, type LooseObject } from "./loose.ts";
import { readSaid, type Said } from "./said.ts";

const FENCE_BEFORE = /```\w*\s*$/;
const FENCE_AFTER = /^\s*```/;

/**
 * The last response that a model wrote as JSON in its text without being asked for JSON. `rest` is the part
 * that is not shown yet, without the JSON of any response.
 */
export function responseIn(
  shown: string,
  held: string,
): { readonly said: Said; readonly rest: string } | undefined {
  const text = shown + held;
  const before = new TextBefore();
  let at = 0;
  const found = findResponses(text).filter(({ object, start }) => {
    before.add(text.slice(at, start));
    at = start;
    return counts(object, before);
  });
  const last = found.at(-1);
  return last === undefined
    ? undefined
    : { said: readSaid(last.object), rest: without(found, text, shown.length) };
}

/** Whether the JSON is a response that counts, behind the text `before`. */
export function isResponseJson(json: string, before: TextBefore): boolean {
  const object = parseObject(json);
  return object !== undefined && counts(object, before);
}

/**
 * It has a content and a flag. As code behind other text it may be an example that the person asked for, so
 * there it counts only where it says more than that all is done.
 */
function counts(object: LooseObject, before: TextBefore): boolean {
  if (typeof object["content"] !== "string") return false;
  const flags = [object["is_task_complete"], object["require_user_input"]];
  if (flags.every((flag) => booleanOf(flag) === undefined)) return false;
  const { isTaskComplete, requireUserInput, wasSuccessful } = readSaid(object);
  const isDone = isTaskComplete && !requireUserInput && wasSuccessful;
  return !isDone || !before.isIntroducedCode;
}

/** What the text before an object says about it. Linear in that text. */
export class TextBefore {
  #visible = false;
  #inFence = false;
  #introduced = false;
  #tick = false;

  add(text: string): void {
    if (text === "") return;
    for (const [index, part] of text.split("```").entries()) {
      if (index > 0) {
        this.#inFence = !this.#inFence;
        this.#introduced = this.#visible;
      }
      this.#visible ||= part.replaceAll("`", "").trim() !== "";
    }
    this.#tick = text.endsWith("`");
  }

  /** The object is in a fence or behind a backtick, with other text before that. */
  get isIntroducedCode(): boolean {
    return this.#inFence ? this.#introduced : this.#tick && this.#visible;
  }
}

/** The text from `from` on, without these and the fences around them. */
function without(found: readonly FoundObject[], text: string, from: number): string {
  const parts: string[] = [];
  let at = from;
  for (const { start, end } of found) {
    if (start < at) continue;
    const before = text.slice(at, start);
    const after = text.slice(end);
    const fenced = FENCE_BEFORE.test(before) ? FENCE_AFTER.exec(after) : null;
    parts.push(fenced === null ? before : before.replace(FENCE_BEFORE, ""));
    at = end + (fenced?.[0].length ?? 0);
  }
  const rest = [...parts, text.slice(at)].join("");
  return rest.trim() === "" ? "" : rest;
}
