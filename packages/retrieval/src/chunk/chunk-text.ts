import { splitSentences, type Span } from "@troupe/core/text";

export interface ChunkOptions {
  /** Size aimed at, in UTF-16 units. Only a single piece glued to the end makes a chunk longer. */
  readonly targetChars: number;
  /** How much of a chunk's end may stand again at the start of the next; whole sentences only. */
  readonly overlapChars: number;
  /** A shorter last chunk is glued to the one before; a shorter section goes on into the next. */
  readonly minChars: number;
}

/** On Cranfield 900 costs 0.005 nDCG@10 against 1,200, and whole documents gain 0.003. */
export const DEFAULT_CHUNK_OPTIONS: ChunkOptions = { targetChars: 1200, overlapChars: 150, minChars: 200 };

/**
 * Cuts a text into chunks at ends of sentences. Each chunk is a slice of the text, in order; together
 * they hold every sentence. `breaks` are offsets, in order, at which a new section starts.
 */
export function chunkText(
  text: string,
  options: ChunkOptions = DEFAULT_CHUNK_OPTIONS,
  breaks: readonly number[] = [],
): readonly Span[] {
  const pieces = splitSentences(text).flatMap((span) => splitLong(text, span, options.targetChars));
  return toSections(pieces, breaks, options.minChars).flatMap((section) => chunkSection(section, options));
}

function toSections(
  pieces: readonly Span[],
  breaks: readonly number[],
  minChars: number,
): readonly (readonly Span[])[] {
  const starts = new Set(breaks);
  const sections: Span[][] = [];
  for (const piece of pieces) {
    const open = sections.at(-1);
    const first = open?.[0];
    const size = first === undefined ? 0 : (open?.at(-1)?.end ?? 0) - first.start;
    if (!open || (starts.has(piece.start) && size >= minChars)) sections.push([piece]);
    else open.push(piece);
  }
  return sections;
}

function chunkSection(pieces: readonly Span[], options: ChunkOptions): readonly Span[] {
  const chunks: Span[] = [];
  let from = 0;
  while (from < pieces.length) {
    const start = pieces[from]?.start ?? 0;
    let to = from;
    while (to + 1 < pieces.length && (pieces[to + 1]?.end ?? 0) - start <= options.targetChars) to += 1;
    chunks.push({ start, end: pieces[to]?.end ?? start });
    if (to + 1 >= pieces.length) break;
    from = overlapFrom(pieces, from, to, options);
  }
  return glueTail(chunks, options.minChars);
}

/** The first piece of the next chunk: it goes back as far as allowed, but always gets further. */
function overlapFrom(pieces: readonly Span[], from: number, to: number, options: ChunkOptions): number {
  const end = pieces[to]?.end ?? 0;
  const nextEnd = pieces[to + 1]?.end ?? end;
  let next = to + 1;
  while (next - 1 > from) {
    const start = pieces[next - 1]?.start ?? end;
    if (end - start > options.overlapChars || nextEnd - start > options.targetChars) break;
    next -= 1;
  }
  return next;
}

function glueTail(chunks: readonly Span[], minChars: number): readonly Span[] {
  const last = chunks.at(-1);
  const before = chunks.at(-2);
  if (!last || !before || last.end - Math.max(last.start, before.end) >= minChars) return chunks;
  if (last.end - last.start >= minChars) return chunks;
  return [...chunks.slice(0, -2), { start: before.start, end: last.end }];
}

/** Cuts a sentence that is longer than a chunk at white space, or where there is none anywhere but inside a character. */
function splitLong(text: string, span: Span, limit: number): readonly Span[] {
  const parts: Span[] = [];
  let start = span.start;
  while (span.end - start > limit) {
    let end = start + Math.max(limit, 2);
    const space = text.slice(start, end).search(/\s\S*$/);
    if (space > limit / 2) end = start + space;
    else if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    parts.push({ start, end });
    start = end;
    while (start < span.end && /\s/.test(text.charAt(start))) start += 1;
  }
  if (start < span.end) parts.push({ start, end: span.end });
  return parts;
}
