import type { Heading, ParsedPage } from "../parse/parsed-document.ts";

/** From `start` of a page on, the headings that hold, highest first. */
export interface SectionMark {
  readonly start: number;
  readonly path: readonly string[];
}

/** Section marks of every page; a section goes on over the page's end. */
export function trackSections(pages: readonly ParsedPage[]): readonly (readonly SectionMark[])[] {
  let open: Heading[] = [];
  return pages.map((page) => {
    const marks: SectionMark[] = [{ start: 0, path: open.map((heading) => heading.text) }];
    for (const heading of page.headings) {
      open = [...open.filter((other) => other.level < heading.level), heading];
      marks.push({ start: heading.start, path: open.map((item) => item.text) });
    }
    return marks;
  });
}

/** The section at an offset; empty before the first heading. */
export function sectionAt(marks: readonly SectionMark[], offset: number): readonly string[] {
  let path: readonly string[] = [];
  for (const mark of marks) if (mark.start <= offset) path = mark.path;
  return path;
}
