import { InputError } from "@troupe/core/errors";

import { detectEdition } from "./edition.ts";
import { parseMarkdown } from "./markdown.ts";
import {
  DEFAULT_PARSE_LIMITS,
  type ParsedDocument,
  type ParseLimits,
  type RawDocument,
} from "./parsed-document.ts";
import { isPlaceholderTitle } from "./placeholder-title.ts";
import { tooManyPages } from "./too-many-pages.ts";
import { parsePlainText } from "./plain-text.ts";

/** Extensions that can be read, in lower case with the dot. */
export const EXTENSIONS: readonly string[] = [".md", ".markdown", ".txt", ".pdf", ".docx"];

type Format = "markdown" | "text" | "pdf" | "docx";

/**
 * Reads one document. `name` is the file name: its extension picks the parser, and it stands in every
 * message. Throws an `InputError` that names the file and says what to do about it.
 *
 * It parses what strangers wrote, in this process and without a time limit; `openIndex` runs it in a
 * child process that can be killed.
 */
export async function parseDocument(
  bytes: Uint8Array,
  name: string,
  limits: ParseLimits = DEFAULT_PARSE_LIMITS,
): Promise<ParsedDocument> {
  if (bytes.byteLength === 0)
    throw new InputError("input.invalid", `"${name}" is empty (0 bytes). Replace it or leave it out.`);
  if (bytes.byteLength > limits.maxBytes)
    throw new InputError(
      "input.too-large",
      `"${name}" has ${bytes.byteLength} bytes; at most ${limits.maxBytes} are read. Split it into smaller files.`,
    );
  const format = formatOf(bytes, name);
  const raw = await parseAs(format, bytes, name, limits);
  if (raw.pages.length > limits.maxPages) throw tooManyPages(name, raw.pages.length, limits.maxPages);
  const chars = raw.pages.reduce((sum, page) => sum + page.text.length, 0);
  if (chars > limits.maxTextChars)
    throw new InputError(
      "input.too-large",
      `"${name}" holds ${chars} characters of text; at most ${limits.maxTextChars} are read. Split it.`,
    );
  const hidden = raw.pages.reduce((sum, page) => sum + (page.hidden ?? 0), 0);
  if (chars === 0 && hidden > 0)
    throw new InputError(
      "input.invalid",
      `"${name}" holds only hidden text (${hidden} characters), which is not read. Show it or leave the file out.`,
    );
  if (chars === 0)
    throw new InputError(
      "input.invalid",
      format === "pdf"
        ? `"${name}" has ${raw.pages.length} page(s) but no text; it is probably a scan. Run it through OCR first.`
        : `"${name}" holds no text. Replace it or leave it out.`,
    );
  return finish(raw, name);
}

/** The large parsers are loaded when the first such file comes. */
async function parseAs(
  format: Format,
  bytes: Uint8Array,
  name: string,
  limits: ParseLimits,
): Promise<RawDocument> {
  if (format === "pdf") return (await import("./pdf.ts")).parsePdf(bytes, name, limits);
  if (format === "docx") return (await import("./docx.ts")).parseDocx(bytes, name, limits);
  const text = decodeText(bytes, name);
  return format === "markdown" ? parseMarkdown(text) : parsePlainText(text);
}

function formatOf(bytes: Uint8Array, name: string): Format {
  const extension = /\.[^./\\]+$/.exec(name)?.[0].toLowerCase() ?? "";
  const isPdf = Buffer.from(bytes.subarray(0, 1024)).includes("%PDF-");
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
  if (extension === ".pdf") return isPdf ? "pdf" : mismatch(name, "a PDF", isZip ? "a zip archive" : "none");
  if (extension === ".docx") {
    if (isZip) return "docx";
    const isOle = bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;
    if (isOle)
      throw new InputError(
        "input.unsupported",
        `"${name}" is encrypted or in the old .doc format. Save it as an unprotected .docx.`,
      );
    return mismatch(name, "a Word document", isPdf ? "a PDF" : "none");
  }
  if (extension === ".md" || extension === ".markdown" || extension === ".txt") {
    if (isPdf || isZip) return mismatch(name, "text", isPdf ? "a PDF" : "a zip archive");
    return extension === ".txt" ? "text" : "markdown";
  }
  throw new InputError(
    "input.unsupported",
    `"${name}" has an extension that is not read. Supported: ${EXTENSIONS.join(", ")}.`,
  );
}

function mismatch(name: string, expected: string, actual: string): never {
  const what = actual === "none" ? `its content is not ${expected}` : `its content is ${actual}`;
  throw new InputError(
    "input.invalid",
    `"${name}" is named like ${expected}, but ${what}. Give it the right extension or export it again.`,
  );
}

function decodeText(bytes: Uint8Array, name: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, 8_192).includes(0))
    throw new InputError(
      "input.invalid",
      `"${name}" is not text (it holds zero bytes). Leave it out or convert it.`,
    );
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function finish(raw: RawDocument, name: string): ParsedDocument {
  const fileName = name.split(/[/\\]/).at(-1) ?? name;
  const title = titleOf(raw, fileName);
  const text = raw.pages
    .slice(0, 2)
    .map((page) => page.text)
    .join("\n");
  return {
    title,
    mediaType: raw.mediaType,
    paged: raw.paged,
    pages: raw.pages,
    edition: detectEdition({ fileName, title, properties: raw.properties, text }),
  };
}

/** The title a person would read: declared, else the first heading on the first page, else the file's name. */
function titleOf(raw: RawDocument, fileName: string): string {
  const declared = raw.properties["title"]?.trim();
  if (declared !== undefined && !isPlaceholderTitle(declared)) return declared.slice(0, 200);
  const headings = raw.pages[0]?.headings ?? [];
  const first = headings.reduce<(typeof headings)[number] | undefined>(
    (best, heading) => (best === undefined || heading.level < best.level ? heading : best),
    undefined,
  );
  if (first && first.text.length >= 4 && !isPlaceholderTitle(first.text)) return first.text.slice(0, 200);
  return fileName.replace(/\.[^.]+$/, "").replace(/[_-]+/g, " ");
}
