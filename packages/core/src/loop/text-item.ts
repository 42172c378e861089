import type { AgentEventBody, SettledRole, WordHold } from "@troupe/stream";

export type Emit = (body: AgentEventBody) => void;

const NOT_BLANK = /\S/;

/**
 * A stretch of text on its way out. Born with its first character that can be seen, so a model's
 * line breaks between calls make no item; white space before that character is kept with it.
 */
export class TextItem {
  readonly id: string;
  readonly #emit: Emit;
  readonly #words: WordHold | undefined;
  #parts: string[] = [];
  #role: "open" | SettledRole;
  #high = "";
  #begun = false;
  #closed = false;

  /** With `words`, text goes out in whole words. */
  constructor(id: string, role: "open" | "answer", emit: Emit, words?: WordHold) {
    this.id = id;
    this.#role = role;
    this.#emit = emit;
    this.#words = words;
  }

  /** It has text that can be seen. */
  get begun(): boolean {
    return this.#begun;
  }

  get text(): string {
    // Joined once, because it is read several times after the item has ended.
    if (this.#parts.length > 1) this.#parts = [this.#parts.join("")];
    return this.#begun ? (this.#parts[0] ?? "") : "";
  }

  /** Half a surrogate pair is held back until its other half comes, so every piece is well formed. */
  write(piece: string): void {
    if (piece === "") return;
    const whole = (this.#high + piece).toWellFormed();
    const last = piece.charCodeAt(piece.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff;
    this.#high = cut ? piece.slice(-1) : "";
    const text = cut ? whole.slice(0, -1) : whole;
    this.#append(this.#words === undefined ? text : this.#words.push(text));
  }

  /** The model wrote its last of this: nothing is held back any more. */
  flush(): void {
    if (this.#words !== undefined) this.#append(this.#words.end());
    this.#append(this.#high.toWellFormed());
    this.#high = "";
  }

  #append(delta: string): void {
    if (delta === "") return;
    this.#parts.push(delta);
    if (this.#begun) {
      this.#emit({ type: "text-delta", itemId: this.id, delta });
      return;
    }
    if (!NOT_BLANK.test(delta)) return;
    this.#begun = true;
    this.#emit({ type: "text-start", itemId: this.id, role: this.#role === "answer" ? "answer" : "open" });
    this.#emit({ type: "text-delta", itemId: this.id, delta: this.#parts.join("") });
  }

  /** Settles the role, once, and closes. An item that was born or has become `answer` stays so. */
  settle(role: SettledRole): void {
    if (this.#closed) return;
    this.#closed = true;
    this.flush();
    if (!this.#begun) return;
    if (this.#role === "open") {
      this.#role = role;
      this.#emit({ type: "text-role", itemId: this.id, role });
    }
    this.#emit({ type: "text-end", itemId: this.id });
  }
}

/** What items say together. */
export function textOf(items: readonly TextItem[]): string {
  return items.length === 1 ? (items[0]?.text ?? "") : items.map((item) => item.text).join("");
}
