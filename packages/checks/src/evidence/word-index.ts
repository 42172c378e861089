import { foldName, stemOf } from "../text/names.ts";

/** Letters that the endings of two forms of a word may have together: `Belgian`, `Belgium`. */
const MAX_ENDINGS = 4;

function endingsApart(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return a.length + b.length - 2 * same;
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}.'’&-]{0,60}/gu;

/** The words of a text, for look-ups that do not scan it each time. Built on first use. */
export class WordIndex {
  readonly #source: string;
  readonly #words: string;
  #all: ReadonlySet<string> | undefined;
  #sorted: readonly string[] | undefined;
  #tokens: Tokens | undefined;

  /** @param words the folded words of `source` between single spaces. */
  constructor(source: string, words: string) {
    this.#source = source;
    this.#words = words;
  }

  /** Whether folded words stand in the text side by side. */
  has(words: string): boolean {
    this.#all ??= new Set(this.#words.split(" "));
    return words.includes(" ") ? this.#words.includes(` ${words} `) : this.#all.has(words);
  }

  /** Whether a folded word stands in the text in another form: with another ending, or as the first part of a compound. */
  hasForm(word: string): boolean {
    const prefix = stemOf(word);
    if (prefix.includes(" ")) return this.#words.includes(` ${prefix}`);
    this.#sorted ??= [...new Set(this.#words.split(" "))].sort();
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? "") < prefix) low = middle + 1;
      else high = middle;
    }
    for (let at = low; this.#sorted[at]?.startsWith(prefix) === true; at++) {
      const form = this.#sorted[at] ?? "";
      if (form.startsWith(word) || endingsApart(word, form) <= MAX_ENDINGS) return true;
    }
    return false;
  }

  /** Whether the word stands there in small letters, as an everyday word. */
  hasSmall(word: string): boolean {
    return this.#read().small.has(word);
  }

  /** Capitalised words one or two words after a word, folded; `""` where another word follows. */
  followers(word: string): ReadonlySet<string> | undefined {
    return this.#read().followers.get(word);
  }

  /** Capitalised words before a word, folded; `""` where another word or nothing is before it. */
  predecessors(word: string): ReadonlySet<string> | undefined {
    return this.#read().predecessors.get(word);
  }

  #read(): Tokens {
    return (this.#tokens ??= readTokens(this.#source));
  }
}

interface Tokens {
  readonly small: ReadonlySet<string>;
  readonly followers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly predecessors: ReadonlyMap<string, ReadonlySet<string>>;
}

function readTokens(source: string): Tokens {
  const small = new Set<string>();
  const followers = new Map<string, Set<string>>();
  const predecessors = new Map<string, Set<string>>();
  let before: string | undefined;
  let beforeThat: string | undefined;
  let end = 0;
  for (const match of source.matchAll(TOKEN)) {
    const token = match[0].replace(/['’]s$/, "").replace(/[.'’-]+$/, "");
    const apart = !/^ {0,3}$|^['’]s {1,3}$/.test(source.slice(end, match.index).replace(/^\./, ""));
    if (apart) before = beforeThat = undefined;
    const isName = /^\p{Lu}/u.test(token);
    if (!isName) small.add(token);
    const name = isName ? foldName(token) : "";
    const key = token.toLowerCase();
    add(predecessors, key, before !== undefined && /^\p{Lu}/u.test(before) ? foldName(before) : "");
    if (before !== undefined) add(followers, before.toLowerCase(), name);
    if (beforeThat !== undefined && before !== undefined && /^\p{Lu}/u.test(before) && isName)
      add(followers, beforeThat.toLowerCase(), name);
    beforeThat = before;
    before = token;
    end = match.index + match[0].length;
  }
  return { small, followers, predecessors };
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}
