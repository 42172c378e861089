import type { Heading, ParsedPage } from "../parse/parsed-document.ts";

/** From `start` of a page on, the headings that hold, highest first. */
export interface SectionMark {
  readonly start: number;
  readonly path: readonly string[];
}

/** A heading stands beside every passage under it, so a long one would fill the index many times over. */
const MAX_HEADING_CHARS = 200;

/** Section marks of every page; a section goes on over the page's end. */
export function trackSections(pages: readonly ParsedPage[]): readonly (readonly SectionMark[])[] {
  let open: Heading[] = [];
  return pages.map((page) => {
    const marks: SectionMark[] = [{ start: 0, path: open.map((heading) => heading.text) }];
    for (const full of page.headings) {
      const heading = { ...full, text: full.text.slice(0, MAX_HEADING_CHARS) };
      open = [...open.filter((other) => other.level < heading.level), heading];
      marks.push({ start: heading.start, path: open.map((item) => item.text) });
    }
    return marks;
  });
}

/** The section at an offset; empty before the first heading. Marks are in order of their start. */
export function sectionAt(marks: readonly SectionMark[], offset: number): readonly string[] {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return marks[low - 1]?.path ?? [];
}
