const QUOTE = 34;
const BACKSLASH = 92;
const REPLACEMENT = "\uFFFD";

/** What one escaped character stands for; any other stands for itself. */
const ESCAPES: { readonly [char: string]: string } = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

type Escape = "none" | "begun" | "hex";
type Reading = "outside" | "opened" | "structure" | "key" | "field" | "string";

/**
 * Streams one named top-level string out of a JSON object while the object is still being written.
 *
 * Text and fences around the object are passed over: an object begins with a brace that is followed,
 * but for white space, by a quote or by its end, so braces and quotes of prose confuse nothing. Of
 * several objects one behind the other, the first that has the field counts.
 *
 * Linear in the input: every character is looked at once and nothing is parsed again. Escapes and
 * surrogate pairs may be cut anywhere. What comes out is well formed: half a surrogate pair waits
 * for its other half, and a lone one becomes U+FFFD. Of a field that appears twice the first counts.
 * Broken JSON never throws; what could be read has been handed out.
 */
export class JsonFieldReader {
  readonly #field: string;
  #reading: Reading = "outside";
  #depth = 0;
  #keyNext = false;
  #key = "";
  #escape: Escape = "none";
  #hex = "";
  /** A high surrogate that waits for its low one. */
  #high = "";
  #found = false;
  #complete = false;

  constructor(field: string) {
    this.#field = field;
  }

  /** The string's opening quote has been seen. */
  get found(): boolean {
    return this.#found;
  }

  /** The string's closing quote has been seen. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Takes the next piece; returns what became readable of the field, often the empty string. */
  push(piece: string): string {
    let out = "";
    for (let at = 0; at < piece.length; at++) {
      if (this.#reading === "structure") {
        this.#structure(piece.charCodeAt(at));
        continue;
      }
      if (this.#reading === "outside" || this.#reading === "opened") {
        this.#seek(piece.charCodeAt(at));
        continue;
      }
      if (this.#escape === "none") {
        const code = piece.charCodeAt(at);
        if (code === BACKSLASH) {
          this.#escape = "begun";
        } else if (code === QUOTE) {
          out += this.#close();
        } else {
          const end = runEnd(piece, at + 1);
          if (this.#reading !== "string") {
            out += this.#text(end - at === piece.length ? piece : piece.slice(at, end));
          }
          at = end - 1;
        }
        continue;
      }
      const char = piece.charAt(at);
      if (this.#escape === "begun") {
        if (char === "u") {
          this.#escape = "hex";
          this.#hex = "";
        } else {
          this.#escape = "none";
          out += this.#text(ESCAPES[char] ?? char);
        }
      } else if (isHex(char)) {
        this.#hex += char;
        if (this.#hex.length === 4) {
          this.#escape = "none";
          out += this.#text(String.fromCharCode(Number.parseInt(this.#hex, 16)));
        }
      } else {
        // Not four hex digits: the escape is broken, the character is read again as plain text.
        this.#escape = "none";
        out += this.#text(REPLACEMENT);
        at--;
      }
    }
    return out;
  }

  /** Call when no more input comes: returns what was still held back of a string cut short. */
  end(): string {
    if (this.#reading !== "field") return "";
    this.#reading = "structure";
    return this.#releaseHigh();
  }

  /** Looks for where an object begins. */
  #seek(code: number): void {
    if (code === 123) {
      this.#reading = "opened";
    } else if (this.#reading === "opened" && code === QUOTE) {
      this.#depth = 1;
      this.#keyNext = true;
      this.#openString();
    } else if (code !== 32 && code !== 9 && code !== 10 && code !== 13) {
      this.#reading = "outside";
    }
  }

  #structure(code: number): void {
    switch (code) {
      case 123: // {
        this.#depth++;
        this.#keyNext = false;
        return;
      case 91: // [
        this.#depth++;
        this.#keyNext = false;
        return;
      case 125: // }
      case 93: // ]
        this.#depth--;
        if (this.#depth === 0) this.#reading = "outside";
        return;
      case 58: // :
        this.#keyNext = false;
        return;
      case 44: // ,
        this.#keyNext = this.#depth === 1;
        return;
      case QUOTE:
        this.#openString();
        return;
    }
  }

  #openString(): void {
    if (this.#depth === 1 && this.#keyNext) {
      this.#reading = "key";
      this.#key = "";
    } else if (this.#depth === 1 && !this.#found && this.#key === this.#field) {
      this.#reading = "field";
      this.#found = true;
    } else {
      this.#reading = "string";
    }
  }

  #close(): string {
    const held = this.#reading === "field" ? this.#releaseHigh() : "";
    if (this.#reading === "field") this.#complete = true;
    this.#reading = "structure";
    return held;
  }

  #releaseHigh(): string {
    const held = this.#high === "" ? "" : REPLACEMENT;
    this.#high = "";
    return held;
  }

  #text(text: string): string {
    if (this.#reading === "key") this.#key += text;
    if (this.#reading !== "field") return "";
    const whole = this.#high + text;
    const last = whole.charCodeAt(whole.length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#high = whole.slice(-1);
      return whole.slice(0, -1).toWellFormed();
    }
    this.#high = "";
    return whole.toWellFormed();
  }
}

/** End of the run of plain characters that starts at `from`. */
function runEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH) return at;
    at++;
  }
  return at;
}

function isHex(char: string): boolean {
  return (char >= "0" && char <= "9") || (char >= "a" && char <= "f") || (char >= "A" && char <= "F");
}
