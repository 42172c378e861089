import { extname, resolve } from "node:path";

import { InputError } from "@troupe/core";
import { parseDocument, readSlides, type SlideShape, type SlideText } from "@troupe/retrieval";

import { readPlainBytes } from "../../adapters/read-plain-file.ts";

/** Text of a file that is checked by itself. */
export interface TextPart {
  /** Where in the file, such as `slide 3` or `notes of slide 3`; empty where it has no pages. */
  readonly place: string;
  /** Markdown. */
  readonly text: string;
  /** The line of the file at which it begins, from 1; absent where the file has no lines. */
  readonly line?: number;
  /** A title, where dates and years alone make no claim. */
  readonly isTitle?: boolean;
  /** What it may state because its slide shows it: a number of things, as in `Top 10 products`, and items of an agenda. */
  readonly given?: readonly string[];
}

const MARKDOWN = new Set([".md", ".markdown", ".txt"]);
const KINDS = [...MARKDOWN, ".docx", ".pdf", ".pptx"];
const MAX_BYTES = 100_000_000;
/** Longer texts are split between paragraphs. */
const MAX_PART_CHARS = 8_000;

/** The text of a file, page by page or slide by slide. Throws an `InputError` for one that cannot be read. */
export async function readText(cwd: string, name: string): Promise<readonly TextPart[]> {
  const path = resolve(cwd, name);
  const kind = extname(name).toLowerCase();
  if (!KINDS.includes(kind))
    throw new InputError(
      "input.unsupported",
      `"${name}" is of a kind that cannot be checked. Known kinds: ${KINDS.join(", ")}.`,
    );
  const bytes = readPlainBytes(path, { maxBytes: MAX_BYTES, what: "a file to check", shown: name });
  if (MARKDOWN.has(kind)) return split("", bytes.toString("utf8"), true);
  if (kind === ".pptx") return readSlides(bytes, name).flatMap(partsOfSlide);
  const { pages, paged } = await parseDocument(bytes, name);
  return pages.flatMap(({ number, text }) =>
    split(paged ? `page ${number}` : "", withoutContents(text, number, pages.length)),
  );
}

/** Without a table of contents: three lines or more that end in the number of a later page. */
function withoutContents(text: string, page: number, pages: number): string {
  const lines = text.split("\n");
  const target = (line: string): number => Number(/^[^|]+\|\s*(\d{1,4})$/.exec(line)?.[1]);
  const isEntry = (line: string): boolean => target(line) > page && target(line) <= pages;
  const entries = lines.filter(isEntry);
  const ascend = entries.every((line, at) => at === 0 || target(line) >= target(entries[at - 1] ?? ""));
  return entries.length < 3 || !ascend ? text : lines.filter((line) => !isEntry(line)).join("\n");
}

/** Placeholders that say nothing of the subject: footer, date, number and header. */
const FURNITURE: ReadonlySet<string> = new Set(["ftr", "dt", "sldNum", "hdr"]);
const TITLES: ReadonlySet<string> = new Set(["title", "ctrTitle", "subTitle"]);
/** Names of shapes in decks of our own: the line of sources at the foot, the date of the cover, numbers of an agenda. */
const OWN_FURNITURE = /^(?:Source line|Byline|Number \d{1,3})$/;
const OWN_TITLES: ReadonlySet<string> = new Set(["Subtitle", "Chart caption"]);
const AGENDA_ITEM = /^Item \d{1,3}$/;
const SOURCES_TABLE = "Sources table";

/** What a slide states: its titles, its text, and its notes; of a list of sources the notes alone, which quote them. */
function partsOfSlide({ number, shapes, notes, counts }: SlideText): readonly TextPart[] {
  const shown = shapes.filter(
    ({ name, placeholder = "" }) => !FURNITURE.has(placeholder) && !OWN_FURNITURE.test(name),
  );
  const isTitle = ({ name, placeholder = "" }: SlideShape): boolean =>
    TITLES.has(placeholder) || OWN_TITLES.has(name);
  const items = shapes.filter(({ name }) => AGENDA_ITEM.test(name)).map(({ text }) => text);
  const isOfSources = shapes.some(({ name }) => name === SOURCES_TABLE);
  const place = `slide ${number}`;
  const body = shown.filter((shape) => !isTitle(shape)).map(({ text }) => text);
  return [
    ...(isOfSources
      ? []
      : [
          ...shown
            .filter(isTitle)
            .flatMap(({ text }) => split(place, text))
            .map((part) => ({ ...part, isTitle: true, given: counts.map(String) })),
          ...split(place, body.join("\n\n")),
        ]),
    ...split(`notes of slide ${number}`, notes).map((part) => ({
      ...part,
      ...(items.length === 0 ? {} : { given: [String(items.length), ...items] }),
    })),
  ];
}

/** Parts of a text, split between paragraphs. */
function split(place: string, whole: string, hasLines = false): readonly TextPart[] {
  const text = whole.replaceAll("\r\n", "\n");
  const parts: { from: number; to: number }[] = [];
  for (const { 0: block, index } of text.matchAll(/[^\n]+(?:\n[^\n]+)*/g)) {
    if (block.trim() === "") continue;
    const last = parts.at(-1);
    const to = index + block.length;
    if (last !== undefined && to - last.from <= MAX_PART_CHARS) last.to = to;
    else parts.push({ from: index, to });
  }
  return parts.map(({ from, to }) => ({
    place,
    text: text.slice(from, to),
    ...(hasLines ? { line: text.slice(0, from).split("\n").length } : {}),
  }));
}
