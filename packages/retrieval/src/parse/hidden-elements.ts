import { codeSpans } from "./code-spans.ts";
import { fenceAfter } from "./fences.ts";

/*
 * Text that a reader of the rendered page does not see: quoted, it would be a finding that nobody can check,
 * and it is where instructions to models are hidden. It is left out, and the report of the ingest counts it.
 */

// It stops at the next tag, so a file full of "<" is read in linear time.
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9-]*)([^<>]*)>/g;
const NEVER_SHOWN = new Set(["script", "style", "template"]);
/** They have no end tag and hold no text. */
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const HIDING_STYLE =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?(?![\d.])|font-size\s*:\s*0(?:\.0+)?(?![\d.])|color\s*:\s*transparent)/i;
const WHITE = /(?:^|[;\s])color\s*:\s*(?:white\b|#fff(?:fff)?\b|rgba?\(\s*255[\s,]+255[\s,]+255\b)/i;

/** A background other than white. */
const BACKGROUND =
  /\b(?:background(?:-color)?\s*:|bgcolor\s*=\s*["']?)\s*(?!white\b|#fff(?:fff)?\b|transparent\b|none\b)[^;\s"']/i;

interface OpenElement {
  readonly name: string;
  readonly start: number;
  /** Elements of its name that are open, itself included. */
  depth: number;
}

export interface Shown {
  readonly text: string;
  /** Characters of hidden text that were left out. */
  readonly hidden: number;
}

/** Markdown without its HTML elements that are not shown. One that is never closed hides all that follows. */
export function withoutHiddenElements(markdown: string): Shown {
  if (!markdown.includes("<")) return { text: markdown, hidden: 0 };
  const code = codeRanges(markdown);
  const lower = markdown.toLowerCase();
  const lastEnds = new Map([...NEVER_SHOWN].map((name) => [name, lower.lastIndexOf(`</${name}>`)]));
  let at = 0;
  let kept = "";
  let from = 0;
  let hidden = 0;
  let open: OpenElement | undefined;
  let shaded: OpenElement | undefined;
  const leaveOut = (start: number, end: number): void => {
    const left = markdown.slice(start, end);
    // Lines around stay apart: they were never one paragraph.
    kept += markdown.slice(from, start) + (left.includes("\n") ? "\n" : "");
    hidden += left.replace(/<[^<>]*>/g, "").trim().length;
    from = end;
  };
  for (const { 0: tag, 1: slash, 2: written = "", 3: attributes = "", index } of markdown.matchAll(TAG)) {
    while ((code[at]?.end ?? Infinity) <= index) at += 1;
    if ((code[at]?.start ?? Infinity) <= index) continue;
    const name = written.toLowerCase();
    const isEmpty = VOID.has(name) || attributes.endsWith("/");
    if (open !== undefined) {
      countTag(open, name, slash === "/", isEmpty);
      if (open.depth > 0) continue;
      leaveOut(open.start, index + tag.length);
      open = undefined;
      continue;
    }
    if (shaded !== undefined) countTag(shaded, name, slash === "/", isEmpty);
    if (shaded?.depth === 0) shaded = undefined;
    if (slash === "/" || isEmpty) continue;
    // In prose such a name without an end tag is a placeholder: "open <template> and ...".
    if (
      NEVER_SHOWN.has(name)
        ? (lastEnds.get(name) ?? -1) > index
        : hides(attributes, { onWhite: shaded === undefined })
    )
      open = { name, start: index, depth: 1 };
    else if (shaded === undefined && BACKGROUND.test(attributes)) shaded = { name, start: index, depth: 1 };
  }
  if (open !== undefined) leaveOut(open.start, markdown.length);
  return { text: kept + markdown.slice(from), hidden };
}

function countTag(element: OpenElement, name: string, isEnd: boolean, isEmpty: boolean): void {
  if (name !== element.name) return;
  if (isEnd) element.depth -= 1;
  else if (name !== "p" && !isEmpty) element.depth += 1;
}

/** White text is hidden on the white of the page only: an element around it may have a colour. */
function hides(attributes: string, { onWhite }: { readonly onWhite: boolean }): boolean {
  const style = /(?:^|\s)style\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/i.exec(attributes);
  const css = style?.[1]?.replace(/^["']|["']$/g, "") ?? "";
  if (HIDING_STYLE.test(css) || (onWhite && WHITE.test(css) && !BACKGROUND.test(attributes))) return true;
  return /(?:^|\s)hidden(?:\s|=|\/|$)/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, '""'));
}

/** Fenced code and code spans, in order. */
function codeRanges(markdown: string): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  let fence: string | undefined;
  let offset = 0;
  for (const line of markdown.split("\n")) {
    const after = fenceAfter(line, fence);
    if (fence !== undefined || after !== undefined) ranges.push({ start: offset, end: offset + line.length });
    else
      for (const { start, end } of codeSpans(line)) ranges.push({ start: offset + start, end: offset + end });
    fence = after;
    offset += line.length + 1;
  }
  return ranges;
}
