import { codeSpans } from "./code-spans.ts";
import { fenceAfter } from "./fences.ts";

/*
 * What an author struck out is what a document no longer says: the old price beside the new one. It is
 * left out rather than marked, because a passage is quoted in pieces: a search, a sentence of an answer
 * or a slide could take the words and leave the mark behind.
 */

const TAG = /<(\/?)(del|strike|s)(?=[\s/>])[^<>]*>/gi;

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * Markdown without what stands in `<del>`, `<s>` and `<strike>`, over several lines too. One that is
 * never closed strikes nothing, else a slip would hide the rest of the document; code stays as it is.
 */
export function withoutStruckElements(markdown: string): string {
  const tags = tagsOutsideCode(markdown);
  const lastClose = new Map(tags.filter((tag) => tag.closes).map((tag) => [tag.name, tag.start]));
  let kept = "";
  let from = 0;
  let open: Tag | undefined;
  for (const tag of tags) {
    if (open === undefined && !tag.closes && (lastClose.get(tag.name) ?? -1) > tag.start) open = tag;
    if (open === undefined || !tag.closes || tag.name !== open.name) continue;
    // Lines around stay apart: what is above and below was never one paragraph.
    kept +=
      markdown.slice(from, open.start) + (markdown.slice(open.end, tag.start).includes("\n") ? "\n" : "");
    from = tag.end;
    open = undefined;
  }
  return kept + markdown.slice(from);
}

function tagsOutsideCode(markdown: string): readonly Tag[] {
  const tags: Tag[] = [];
  let fence: string | undefined;
  let offset = 0;
  for (const line of markdown.split("\n")) {
    const after = fenceAfter(line, fence);
    if (fence === undefined && after === undefined) {
      const code = codeSpans(line);
      let at = 0;
      for (const { 0: tag, 1: slash, 2: name = "", index } of line.matchAll(TAG)) {
        while ((code[at]?.end ?? Infinity) <= index) at += 1;
        if ((code[at]?.start ?? Infinity) < index) continue;
        const start = offset + index;
        tags.push({ name: name.toLowerCase(), closes: slash === "/", start, end: start + tag.length });
      }
    }
    fence = after;
    offset += line.length + 1;
  }
  return tags;
}

/**
 * A line of Markdown, its code taken out before, without what stands between `~~` and `~~`. Only
 * double ones count: a single tilde in front of a number says "about".
 */
export function withoutStruckText(line: string): string {
  const openings: number[] = [];
  const struck: { start: number; end: number }[] = [];
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
