import type { DatabaseSync } from "node:sqlite";

import type { SectionMark } from "../chunk/sections.ts";
import { text, toSections } from "./rows.ts";

/** A page of Markdown is a whole file. Stored in blocks, a passage is read without the rest of its page. */
const BLOCK_CHARS = 4_096;

interface PageBlock {
  /** UTF-16 offset in the text of the page. */
  readonly start: number;
  readonly text: string;
  /** The mark that holds at its start, then those inside it. */
  readonly sections: readonly SectionMark[];
}

export interface PageSlice {
  readonly text: string;
  /** Marks from the one that holds at the start of the slice on; some may lie behind its end. */
  readonly sections: readonly SectionMark[];
}

/** Writes the text of a page that is in `pages`. */
export function pageWriter(
  db: DatabaseSync,
): (document: number | bigint, page: number, pageText: string, sections: readonly SectionMark[]) => void {
  const insert = db.prepare(
    "INSERT INTO page_blocks (document, page, start_offset, text, sections) VALUES (?, ?, ?, ?, ?)",
  );
  return (document, page, pageText, sections) => {
    for (const block of splitPage(pageText, sections))
      insert.run(document, page, block.start, block.text, JSON.stringify(block.sections));
  };
}

/** Reads `[start, end)` of the text of a page. */
export function pageReader(
  db: DatabaseSync,
): (document: number, page: number, start: number, end: number) => PageSlice {
  // Blocks are at most BLOCK_CHARS long, so earlier ones need not be looked at.
  const select = db.prepare(
    `SELECT start_offset, text, sections FROM page_blocks
     WHERE document = ? AND page = ? AND start_offset > ? AND start_offset < ? ORDER BY start_offset`,
  );
  return (document, page, start, end) => {
    const blocks = select.all(document, page, start - BLOCK_CHARS, end);
    const from = Number(blocks[0]?.["start_offset"] ?? 0);
    const sections: SectionMark[] = [];
    for (const mark of blocks.flatMap(toSections))
      if (mark.start > (sections.at(-1)?.start ?? -1)) sections.push(mark);
    const joined = blocks.map((block) => text(block, "text")).join("");
    return { text: joined.slice(start - from, end - from), sections };
  };
}

function splitPage(pageText: string, sections: readonly SectionMark[]): readonly PageBlock[] {
  const blocks: PageBlock[] = [];
  let start = 0;
  let next = 0;
  let open: SectionMark | undefined;
  while (start < pageText.length) {
    let end = Math.min(start + BLOCK_CHARS, pageText.length);
    // Half a surrogate pair cannot be stored.
    if (end < pageText.length && /[\uD800-\uDBFF]/.test(pageText.charAt(end - 1))) end -= 1;
    const marks: SectionMark[] = [];
    for (; (sections[next]?.start ?? Infinity) < end; next += 1) {
      const mark = sections[next];
      if (mark && mark.start <= start) open = mark;
      else if (mark) marks.push(mark);
    }
    blocks.push({ start, text: pageText.slice(start, end), sections: open ? [open, ...marks] : marks });
    open = marks.at(-1) ?? open;
    start = end;
  }
  return blocks;
}
