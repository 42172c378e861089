import { BEFORE_FIRST, readBlockLine } from "./blocks.ts";
import { codeSpans } from "./code-spans.ts";
import { colorOf, pixelsOf } from "./css-values.ts";

/*
 * Text that a reader of the rendered page does not see: quoted, it would be a finding that nobody can check,
 * and it is where instructions to models are hidden. It is left out, and the report of the ingest counts it.
 *
 * Best effort: to lose visible text is worse than to keep hidden text. A tag in the middle of a sentence may be
 * meant as text, so it hides nothing beyond its paragraph; one that starts its line hides up to its end tag.
 */

// It stops at the next tag, so a file full of "<" is read in linear time.
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;
const NEVER_SHOWN = new Set(["script", "style", "template"]);
/** They have no end tag and hold no text. */
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
/** Their end tag may be left out: the next of them, or the end of what holds them, ends them. */
const OPTIONAL_END = new Set("p li dt dd td th tr option".split(" "));
const HOLDERS = new Set("ul ol menu dl table thead tbody tfoot tr select div section article".split(" "));

const ENTITIES: { readonly [name: string]: string } = {
  colon: ":",
  semi: ";",
  num: "#",
  lpar: "(",
  rpar: ")",
};
/** Text of this size, in pixels, is not read; neither is what is moved so far to the left or up. */
const MAX_HIDDEN_PX = 1;
const OFF_SCREEN_PX = -999;
const MOVED = ["left", "top", "margin-left", "margin-top", "text-indent"];

/** What may stand in front of a tag that starts its line. */
const MARKS = /^[\s>|*+\-\d.)]*$/;

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Tag extends Range {
  readonly name: string;
  readonly closes: boolean;
  readonly attributes: string;
  /** Only marks and other tags stand before it in its line. */
  readonly startsLine: boolean;
  /** Its line starts with a tag. */
  readonly inHtml: boolean;
  /** Where its paragraph, item or row ends. */
  readonly blockEnd: number;
  /** Where its end tag ends. */
  matchEnd?: number;
}

export interface Shown {
  readonly text: string;
  /** Characters of hidden text that were left out. */
  readonly hidden: number;
}

/** Markdown without its HTML elements and comments that are not shown. */
export function withoutHiddenElements(markdown: string): Shown {
  if (!/[<#]/.test(markdown)) return { text: markdown, hidden: 0 };
  const lines = readLines(markdown);
  const hidden = [...lines.comments, ...hiddenElements(readTags(markdown, lines))];
  let text = "";
  let from = 0;
  let characters = 0;
  for (const { start, end } of hidden.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    const left = markdown.slice(Math.max(start, from), end);
    // Lines around stay apart: they were never one paragraph.
    text += markdown.slice(from, Math.max(start, from)) + (left.includes("\n") ? "\n" : "");
    characters += left.replace(/<[^<>]*>/g, "").trim().length;
    from = end;
  }
  return { text: text + markdown.slice(from), hidden: characters };
}

/** In order, and none inside another. */
function hiddenElements(tags: readonly Tag[]): readonly Range[] {
  const hidden: Range[] = [];
  let from = 0;
  let shadedUntil = 0;
  for (const [at, tag] of tags.entries()) {
    if (tag.start < from || tag.closes) continue;
    const look = lookOf(tag.name, tag.attributes);
    const onWhite = tag.start >= shadedUntil && !look.shaded;
    if (NEVER_SHOWN.has(tag.name) || look.hidden || (look.white && onWhite)) {
      const end = endOf(tag, at, tags);
      if (end === undefined) continue;
      hidden.push({ start: tag.start, end });
      from = end;
    } else if (look.shaded) shadedUntil = Math.max(shadedUntil, tag.matchEnd ?? Infinity);
  }
  return hidden;
}

/** Where a hiding element ends; undefined where its tag is rather a word of a sentence. */
function endOf(tag: Tag, at: number, tags: readonly Tag[]): number | undefined {
  const { name, matchEnd = Infinity, blockEnd, startsLine } = tag;
  // In prose they are named rather than used: "the <script> tag ends with </script>".
  if (NEVER_SHOWN.has(name))
    return (startsLine || name === "template") && matchEnd <= (startsLine ? Number.MAX_VALUE : blockEnd)
      ? matchEnd
      : undefined;
  // A paragraph ends with the block, whether its end tag follows or not.
  if (matchEnd <= blockEnd || (startsLine && name !== "p" && matchEnd < Infinity)) return matchEnd;
  if (OPTIONAL_END.has(name) && tag.inHtml) {
    let next = at + 1;
    while (next < tags.length && !endsOptional(name, tags[next])) next += 1;
    return Math.min(blockEnd, tags[next]?.start ?? blockEnd);
  }
  return startsLine ? blockEnd : undefined;
}

const endsOptional = (name: string, tag: Tag | undefined): boolean =>
  tag?.name === name || (tag?.closes === true && HOLDERS.has(tag.name));

/** Tags outside code with the ends of their elements. */
function readTags(markdown: string, { code, breaks }: Lines): readonly Tag[] {
  const tags: Tag[] = [];
  const open = new Map<string, Tag[]>();
  let atCode = 0;
  let atBreak = 0;
  let before = 0;
  let startsLine = true;
  let inHtml = false;
  for (const { 0: whole, 1: slash, 2: written = "", 3: attributes = "", index: start } of markdown.matchAll(
    TAG,
  )) {
    while ((code[atCode]?.end ?? Infinity) <= start) atCode += 1;
    if ((code[atCode]?.start ?? Infinity) <= start || isEscaped(markdown, start)) continue;
    while ((breaks[atBreak] ?? Infinity) <= start) atBreak += 1;
    const end = start + whole.length;
    const gap = markdown.slice(before, start);
    const line = gap.lastIndexOf("\n");
    startsLine = (line >= 0 || startsLine) && MARKS.test(gap.slice(line + 1));
    if (line >= 0 || before === 0) inHtml = startsLine;
    before = end;
    const name = written.toLowerCase();
    // A capital makes a component, which may be empty; an element of HTML is open in spite of the slash.
    if (VOID.has(name) || (attributes.endsWith("/") && written !== name)) continue;
    const blockEnd = breaks[atBreak] ?? markdown.length;
    const tag: Tag = { name, closes: slash === "/", attributes, start, end, startsLine, inHtml, blockEnd };
    tags.push(tag);
    const opened = open.get(name) ?? [];
    open.set(name, opened);
    if (!tag.closes) {
      opened.push(tag);
      continue;
    }
    // One in the middle of a sentence is not ended by what follows its paragraph.
    let last = opened.pop();
    while (last !== undefined && !last.startsLine && last.blockEnd < end) last = opened.pop();
    if (last !== undefined) last.matchEnd = end;
  }
  return tags;
}

interface Look {
  readonly hidden: boolean;
  readonly white: boolean;
  /** It has a background other than white. */
  readonly shaded: boolean;
}

/** White text is hidden on the white of the page only: an element around it may have a colour. */
function lookOf(name: string, written: string): Look {
  const attributes = new Map<string, string>();
  for (const [, attribute = "", value = ""] of written.matchAll(ATTRIBUTE)) {
    const key = attribute.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decoded(value.replace(/^["']|["']$/g, "")));
  }
  const style = new Map<string, string>();
  for (const declaration of withoutCssComments(attributes.get("style") ?? "").split(";")) {
    const [property = "", ...value] = declaration.split(":");
    style.set(
      property.trim().toLowerCase(),
      value
        .join(":")
        .replace(/!\s*important/i, "")
        .trim()
        .toLowerCase(),
    );
  }
  const valueOf = (property: string): string => style.get(property) ?? "";
  const is = (property: string, pattern: RegExp): boolean => pattern.test(valueOf(property));
  const isSmall = (property: string): boolean =>
    Math.abs(pixelsOf(valueOf(property)) ?? Infinity) <= MAX_HIDDEN_PX;
  const isClipped = ["overflow", "overflow-x", "overflow-y"].some((one) => is(one, /^(?:hidden|clip)\b/));
  const color = colorOf(
    style.get("color") ?? (name === "font" ? (attributes.get("color") ?? "") : "").toLowerCase(),
  );
  const backgrounds = [
    ...["background", "background-color", "background-image"].map(valueOf),
    (attributes.get("bgcolor") ?? "").toLowerCase(),
  ];
  return {
    hidden:
      attributes.has("hidden") ||
      is("display", /^none$/) ||
      is("visibility", /^(?:hidden|collapse)$/) ||
      is("opacity", /^(?:0+\.?0*|\.0+)%?$/) ||
      isSmall("font-size") ||
      (isClipped && ["height", "max-height", "width", "max-width"].some(isSmall)) ||
      MOVED.some((property) => (pixelsOf(valueOf(property)) ?? 0) <= OFF_SCREEN_PX) ||
      color?.isTransparent === true,
    white: color?.isNearWhite === true,
    shaded: backgrounds.some(isShading),
  };
}

/** A background that white text is seen on. */
function isShading(background: string): boolean {
  if (background === "" || background === "none") return false;
  if (/url\(|gradient\(/.test(background)) return true;
  const [first = ""] = /^[a-z]+\([^()]*\)|^\S+/.exec(background) ?? [];
  return colorOf(first)?.isNearWhite !== true && first !== "none";
}

function decoded(value: string): string {
  return value.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{3,5});?/gi, (entity: string, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = Number(name.slice(1).replace(/^x/i, "0x"));
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

function withoutCssComments(css: string): string {
  const [first = "", ...rest] = css.split("/*");
  return first + rest.map((part) => (part.includes("*/") ? part.slice(part.indexOf("*/") + 2) : "")).join("");
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === "\\") first -= 1;
  return (at - first) % 2 === 1;
}

interface Lines {
  /** Fenced and indented code, and code spans, over several lines too. */
  readonly code: readonly Range[];
  readonly comments: readonly Range[];
  /** Offsets at which a paragraph, heading, item or row of a table ends. */
  readonly breaks: readonly number[];
}

function readLines(markdown: string): Lines {
  const code: Range[] = [];
  const comments: Range[] = [];
  const breaks: number[] = [];
  let block = 0;
  let offset = 0;
  let before = BEFORE_FIRST;
  const endBlock = (end: number): void => {
    for (const span of codeSpans(markdown.slice(block, end)))
      code.push({ start: block + span.start, end: block + span.end });
    if (end > 0) breaks.push(end);
    block = end;
  };
  for (const line of markdown.split("\n")) {
    const end = offset + line.length;
    const { startsBlock, isCode, isComment } = (before = readBlockLine(line, before));
    if (startsBlock) endBlock(offset);
    if (isCode) code.push({ start: offset, end });
    if (isComment) comments.push({ start: offset, end });
    if (isCode || isComment) block = end;
    offset = end + 1;
  }
  endBlock(markdown.length);
  return { code, comments, breaks };
}
