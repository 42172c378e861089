import { codeSpans } from "./code-spans.ts";
import { fenceAfter } from "./fences.ts";

/*
 * What an author struck out is what a document no longer says: the old price beside the new one. It is
 * left out rather than marked, because a passage is quoted in pieces: a search, a sentence of an answer
 * or a slide could take the words and leave the mark behind.
 */

const TAG = /<(\/?)(del|strike|s)(?=[\s/>])[^<>]*>/gi;

/** A heading, or the line under one. */
const HEADING = /^ {0,3}(?:#{1,6}[ \t]|(?:=+|-+)[ \t]*$)/;

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Tag extends Span {
  readonly name: string;
  readonly closes: boolean;
}

/**
 * Markdown without what stands in `<del>`, `<s>` and `<strike>`, over several lines too. An end belongs to
 * the nearest beginning before it, and to none across a heading: a slip in one place must not hide the
 * sections between it and the next. What is never closed strikes nothing; code stays as it is.
 */
export function withoutStruckElements(markdown: string): string {
  let kept = "";
  let from = 0;
  for (const { start, end } of struckElements(markdown)) {
    const struck = markdown.slice(start, end);
    // Lines around stay apart: what is above and below was never one paragraph.
    kept += markdown.slice(from, start) + (struck.includes("\n") ? "\n" : "");
    from = end;
  }
  return kept + markdown.slice(from);
}

/** In order, and none inside another. */
function struckElements(markdown: string): readonly Span[] {
  const struck: Span[] = [];
  for (const tags of tagsOutsideCode(markdown)) {
    const open = new Map<string, Tag[]>();
    for (const tag of tags) {
      const before = open.get(tag.name) ?? [];
      open.set(tag.name, before);
      if (!tag.closes) before.push(tag);
      const opened = tag.closes ? before.pop() : undefined;
      if (opened === undefined) continue;
      let { start } = opened;
      // What was struck inside goes with it, and so does what crosses it.
      while ((struck.at(-1)?.end ?? -1) > start) start = Math.min(start, struck.pop()?.start ?? start);
      struck.push({ start, end: tag.end });
    }
  }
  return struck;
}

/** The tags between one heading and the next; a heading stands alone. */
function tagsOutsideCode(markdown: string): readonly (readonly Tag[])[] {
  let tags: Tag[] = [];
  const parts = [tags];
  let fence: string | undefined;
  let offset = 0;
  for (const line of markdown.split("\n")) {
    const after = fenceAfter(line, fence);
    if (fence === undefined && after === undefined) {
      const heading = HEADING.test(line);
      if (heading) parts.push((tags = []));
      const code = codeSpans(line);
      let at = 0;
      for (const { 0: tag, 1: slash, 2: name = "", index } of line.matchAll(TAG)) {
        while ((code[at]?.end ?? Infinity) <= index) at += 1;
        if ((code[at]?.start ?? Infinity) < index) continue;
        const start = offset + index;
        tags.push({ name: name.toLowerCase(), closes: slash === "/", start, end: start + tag.length });
      }
      if (heading) parts.push((tags = []));
    }
    fence = after;
    offset += line.length + 1;
  }
  return parts;
}

/**
 * A line of Markdown, its code taken out before, without what stands between `~~` and `~~`. Only
 * double ones count: a single tilde in front of a number says "about".
 */
export function withoutStruckText(line: string): string {
  const openings: number[] = [];
  const struck: Span[] = [];
  for (const { 0: run, index } of line.matchAll(/~+/g)) {
    if (run.length !== 2) continue;
    const end = index + 2;
    const start = /\S/.test(line.charAt(index - 1)) ? openings.pop() : undefined;
    if (start !== undefined) {
      // What was struck inside goes with it.
      while ((struck.at(-1)?.start ?? -1) > start) struck.pop();
      struck.push({ start, end });
    } else if (/\S/.test(line.charAt(end))) openings.push(index);
  }
  let kept = "";
  let from = 0;
  for (const { start, end } of struck) {
    kept += line.slice(from, start);
    from = end;
  }
  return kept + line.slice(from);
}
