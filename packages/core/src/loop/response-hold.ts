const OWN_LINE = "(?<=\\n[ \\t]{0,20})";
const FENCE = "```\\w{0,10}\\s{0,20}";
/** On a line of its own, an object whose first key is one of a response, in a fence or not. */
const BEGUN = new RegExp(
  `${OWN_LINE}(?:${FENCE})?\\{\\s{0,20}"(?:content|is_task_complete|require_user_input|was_task_successful)"\\s{0,20}:`,
);
/** The end of a text that may become that. */
const MAY_BEGIN = new RegExp(
  `${OWN_LINE}(?:\`{1,2}|${FENCE}|(?:${FENCE})?\\{\\s{0,20}(?:"\\w{0,19}"?\\s{0,20})?)$`,
);
/** More characters than `MAY_BEGIN` matches. */
const LONGEST = 140;

/**
 * Keeps a response that a model writes as JSON behind its text from being shown. Text passes
 * until an object like that begins or may begin; from there on everything is held back, until it is known
 * whether the text ends with the object.
 */
export class ResponseHold {
  #held = "";
  #begun = false;
  /** The line that was shown last has no visible character yet. */
  #blankLine = true;

  /** The part of the text that may be shown. */
  push(piece: string): string {
    const text = this.#held + piece;
    const shown = this.#begun ? "" : text.slice(0, this.#startIn(text));
    this.#held = text.slice(shown.length);
    this.#blankLine = isBlankLine(shown, this.#blankLine);
    return shown;
  }

  get held(): string {
    return this.#held;
  }

  /** What was held is text like any other. */
  release(): string {
    const held = this.#held;
    this.#held = "";
    this.#begun = false;
    this.#blankLine = isBlankLine(held, this.#blankLine);
    return held;
  }

  /** Where holding starts; the end of the text where it does not. */
  #startIn(text: string): number {
    if (!/[`{]/.test(text)) return text.length;
    const before = this.#blankLine ? "\n" : "-";
    const begun = BEGUN.exec(before + text);
    this.#begun = begun !== null;
    if (begun !== null) return begun.index - 1;
    const from = Math.max(0, text.length + 1 - LONGEST);
    const maybe = MAY_BEGIN.exec((before + text).slice(from));
    return maybe === null ? text.length : from + maybe.index - 1;
  }
}

function isBlankLine(shown: string, before: boolean): boolean {
  const line = shown.slice(shown.lastIndexOf("\n") + 1);
  return line.trim() === "" && (before || shown.includes("\n"));
}
