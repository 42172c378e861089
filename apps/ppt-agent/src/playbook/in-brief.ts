/** Words of a slide, its line of sources apart. */
export const MAX_WORDS = 40;
/** Words a title takes of a statement, and those below which a clause says nothing by itself. */
const MAX_TITLE_WORDS = 13;
const MIN_CLAUSE_WORDS = 4;

/** Items that one slide is chosen from. */
const MAX_LOOKED = 100;

/** How a part begins that may be left off: what stands before it is a sentence without it. */
const LEAVABLE =
  /^(?:and|but|which|who|while|when|where|because|so|by|in|from|up|down|with|without|as|after|before|for|on|at|over|more|less|including|compared|\d+|EUR|USD|GBP|SEK|NOK|DKK|[€$£])(?:\b|\s)/i;
/** How a part begins that is no sentence yet. */
const OPENING =
  /^(?:in|on|at|by|if|when|while|after|before|since|until|although|because|as|for|from|with|without|according|under|during|to|once|where|unless|despite)\b/i;

/** What only announces the rest: "The strategy has one ambition: ...". */
const ANNOUNCES =
  /\b(?:has|have|had|is|are|follows?|(?:the )?following|these|this)(?: (?:one|two|three|four|five|six|seven|eight|nine|ten|\d+))?(?: \p{L}+)?$/iu;

export const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

/** In a table only what has a letter is a word. */
export const tableWords = (cells: readonly string[]): number =>
  cells.reduce((n, cell) => n + cell.split(/\s+/).filter((token) => /\p{L}/u.test(token)).length, 0);

/** A statement by its main clause, where one can be told and is short; else as it is, without the full stop. */
export function inBrief(text: string): string {
  let before = "";
  for (const { 0: mark, index } of text.matchAll(/[,;:] /g)) {
    const clause = text.slice(before.length, index).replace(/^[,;: ]+/, "");
    const head = text.slice(0, index);
    before = head;
    if (countWords(head) > MAX_TITLE_WORDS) break;
    if (countWords(clause) < MIN_CLAUSE_WORDS || OPENING.test(clause)) continue;
    if (mark === ": " && ANNOUNCES.test(head)) continue;
    if (mark === ", " && !LEAVABLE.test(text.slice(index + mark.length))) continue;
    return head;
  }
  return text.replace(/(?<!\.)\.$/, "");
}

/** The first item, and as many others as the rest of the words allow: what comes first matters most. */
export function chooseFrom<T>(
  items: readonly T[],
  lengthOf: (item: T) => number,
  words: number,
  most: number,
): readonly T[] {
  const [first, ...rest] = items;
  if (first === undefined || lengthOf(first) > words) return choose(items, lengthOf, words, most);
  const left = words - lengthOf(first);
  return [first, ...choose(rest, lengthOf, left, most - 1).filter((item) => lengthOf(item) <= left)];
}

/**
 * As many items as `words` and `most` allow, earlier ones first where there is a choice. Of items that
 * are all too long the first is taken: the deck shortens it and keeps the whole in the notes.
 */
export function choose<T>(
  all: readonly T[],
  lengthOf: (item: T) => number,
  words: number,
  most: number,
): readonly T[] {
  const items = all.slice(0, MAX_LOOKED);
  const shortest = (from: number, count: number): number =>
    items
      .slice(from)
      .map(lengthOf)
      .sort((a, b) => a - b)
      .slice(0, count)
      .reduce((sum, length) => sum + length, 0);
  let count = Math.min(most, items.length);
  while (count > 0 && shortest(0, count) > words) count--;
  if (count === 0) return items.slice(0, 1);
  const out: T[] = [];
  let left = words;
  for (const [i, item] of items.entries()) {
    const need = count - out.length;
    if (need === 0) break;
    const enough = items.length - i - 1 >= need - 1;
    if (!enough || lengthOf(item) + shortest(i + 1, need - 1) > left) continue;
    out.push(item);
    left -= lengthOf(item);
  }
  return out;
}
