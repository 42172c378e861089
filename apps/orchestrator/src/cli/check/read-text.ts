import { extname, resolve } from "node:path";

import { InputError } from "@troupe/core";
import { parseDocument, readSlides } from "@troupe/retrieval";

import { readPlainBytes } from "../../adapters/read-plain-file.ts";

/** Text of a file that is checked by itself. */
export interface TextPart {
  /** Where in the file, such as `slide 3` or `notes of slide 3`; empty where it has no pages. */
  readonly place: string;
  /** Markdown. */
  readonly text: string;
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
  if (MARKDOWN.has(kind)) return split("", bytes.toString("utf8"));
  if (kind === ".pptx")
    return readSlides(bytes, name).flatMap(({ number, text, notes }) => [
      ...split(`slide ${number}`, text),
      ...split(`notes of slide ${number}`, notes),
    ]);
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

function split(place: string, text: string): readonly TextPart[] {
  const parts: string[] = [];
  for (const block of text.replaceAll("\r\n", "\n").split(/\n{2,}/)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + block.length <= MAX_PART_CHARS)
      parts.splice(-1, 1, `${last}\n\n${block}`);
    else if (block.trim() !== "") parts.push(block);
  }
  return parts.map((part) => ({ place, text: part }));
}
