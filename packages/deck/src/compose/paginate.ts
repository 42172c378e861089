/** Items in runs, one for each slide. */
export interface Pagination<T> {
  readonly runs: readonly (readonly T[])[];
  /** How many of the items have room on the first slide; below 1 where the first item alone is too long. */
  readonly room: number;
}

/**
 * Cuts a list into as few runs as it takes for each to fit, and evens them out so that the last is not left with one
 * item. An item that does not fit alone is cut in two by `split`, again and again; where that gives nothing it stands
 * alone. `fits` must hold for a part of what it holds for.
 */
export function paginate<T>(
  items: readonly T[],
  fits: (run: readonly T[]) => boolean,
  split: (item: T) => readonly [T, T] | undefined = () => undefined,
): Pagination<T> {
  if (items.length === 0) return { runs: [], room: 0 };
  const room = prefixThatFits(items, items.length, fits);
  const greedy = cut(items, items.length, fits, split);
  const total = greedy.reduce((n, run) => n + run.length, 0);
  if (total !== items.length) return { runs: greedy, room };
  for (let most = Math.ceil(items.length / greedy.length); most < items.length; most++) {
    const even = cut(items, most, fits, split);
    if (even.length === greedy.length) return { runs: even, room };
  }
  return { runs: greedy, room };
}

function cut<T>(
  items: readonly T[],
  most: number,
  fits: (run: readonly T[]) => boolean,
  split: (item: T) => readonly [T, T] | undefined,
): T[][] {
  const runs: T[][] = [];
  let left = [...items];
  while (left.length > 0) {
    const count = prefixThatFits(left, most, fits);
    const [first, ...rest] = left;
    const parts = count === 0 && first !== undefined ? split(first) : undefined;
    if (parts === undefined) {
      runs.push(left.slice(0, Math.max(1, count)));
      left = left.slice(Math.max(1, count));
    } else {
      runs.push([parts[0]]);
      left = [parts[1], ...rest];
    }
  }
  return runs;
}

/** How many of the first `most` items fit together: doubled while they fit, so that a far too long list is not measured whole. */
export function prefixThatFits<T>(
  items: readonly T[],
  most: number,
  fits: (run: readonly T[]) => boolean,
): number {
  const end = Math.min(most, items.length);
  let low = 0;
  let high = end + 1;
  for (let tried = Math.min(FIRST_TRIED, end); tried > low; tried = Math.min(tried * 2, end)) {
    if (fits(items.slice(0, tried))) {
      low = tried;
    } else {
      high = tried;
      break;
    }
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(items.slice(0, middle))) low = middle;
    else high = middle;
  }
  return low;
}

const FIRST_TRIED = 8;

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const SENTENCE_END = /[.!?。！？…][)"”’»]?\s|[。！？]/gu;
/** A part ends at a sentence or a word where that leaves it at least this full. */
const FULL_ENOUGH = 0.6;

/**
 * Cuts a line of text in two where the first part still fits: after a sentence, else after a word, else after a
 * character. Nothing is dropped but the space at the cut. Undefined for a text of one character, and where not even that
 * fits.
 */
export function splitText(
  text: string,
  fits: (head: string) => boolean,
): readonly [string, string] | undefined {
  let low = graphemeEnd(text, 0);
  let high = text.length;
  if (low >= high) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(text.slice(0, middle).trimEnd())) low = middle;
    else high = middle;
  }
  if (!fits(text.slice(0, low).trimEnd())) return undefined;
  const at = boundaryBefore(text, graphemeStart(text, low));
  const head = text.slice(0, at).trimEnd();
  const tail = text.slice(at).trimStart();
  return head === "" || tail === "" ? undefined : [head, tail];
}

/** More than any character that people write takes. */
const WINDOW = 64;

/** End of the character that starts at `from`. */
function graphemeEnd(text: string, from: number): number {
  const segment = GRAPHEMES.segment(text.slice(from, from + WINDOW)).containing(0);
  return from + (segment?.segment.length ?? 1);
}

/** Start of the character that contains `at`; the end of the first one at least. */
function graphemeStart(text: string, at: number): number {
  const from = Math.max(0, at - WINDOW);
  const segment = GRAPHEMES.segment(text.slice(from, at + WINDOW)).containing(at - from);
  return Math.max(from + (segment?.index ?? at - from), graphemeEnd(text, 0));
}

function boundaryBefore(text: string, end: number): number {
  const head = text.slice(0, end + 1);
  const sentence = [...head.matchAll(SENTENCE_END)]
    .map((m) => m.index + m[0].length)
    .findLast((at) => at <= end);
  if (sentence !== undefined && sentence >= end * FULL_ENOUGH) return sentence;
  const space = head.lastIndexOf(" ");
  return space >= end * FULL_ENOUGH ? space : end;
}
