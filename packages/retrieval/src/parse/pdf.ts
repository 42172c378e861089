import { InputError } from "@troupe/core/errors";
import { getDocumentProxy, getResolvedPDFJS } from "unpdf";

import type { ParseLimits, RawDocument } from "./parsed-document.ts";
import { mayHideText } from "./pdf-content-scan.ts";
import { type DrawnText, findHiddenText, type ShownItems, withoutHiddenText } from "./pdf-hidden-text.ts";
import { toLines } from "./pdf-lines.ts";
import type { TextItem, TextLine } from "./pdf-text.ts";
import { measureStyle, toPage } from "./pdf-paragraphs.ts";
import { stripRunningHeads } from "./pdf-running-heads.ts";
import { tooManyPages } from "./too-many-pages.ts";

/** Larger images are not decoded: only where they are drawn matters, and a scanned page takes seconds. */
const MAX_IMAGE_PIXELS = 500_000;

/** Points; text of 1 point, give or take its scaling, cannot be read. */
const UNREADABLE_SIZE = 1.1;

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;

/** Text of a PDF with physical pages and the numbers printed on them. */
export async function parsePdf(bytes: Uint8Array, name: string, limits: ParseLimits): Promise<RawDocument> {
  const document = await open(bytes, name);
  try {
    if (document.numPages === 0)
      throw new InputError("input.invalid", `"${name}" is a PDF with 0 pages. Export it again.`);
    if (document.numPages > limits.maxPages) throw tooManyPages(name, document.numPages, limits.maxPages);
    const raw: (readonly TextLine[])[] = [];
    const hidden: number[] = [];
    const suspect = mayHideText(bytes);
    for (let number = 1; number <= document.numPages; number += 1) {
      const shown = await readItems(document, number, suspect);
      raw.push(toLines(shown.items));
      hidden.push(shown.hidden);
    }
    const { pages, labels: printed } = stripRunningHeads(raw);
    const declared = await document.getPageLabels();
    const style = measureStyle(pages);
    return {
      mediaType: "application/pdf",
      paged: true,
      pages: pages.map((lines, at) => ({
        ...toPage(lines, style, at + 1, declared?.[at] || printed[at]),
        ...(hidden[at] ? { hidden: hidden[at] } : {}),
      })),
      properties: await readProperties(document),
    };
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw broken(name, error);
  } finally {
    await document.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array, name: string): Promise<PdfDocument> {
  try {
    // pdf.js takes the buffer over and refuses a Buffer, so it gets a plain copy.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      stopAtErrors: false,
      maxImageSize: MAX_IMAGE_PIXELS,
    });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException")
      throw new InputError(
        "input.unsupported",
        `"${name}" is protected by a password. Save a copy without one and ingest that.`,
        { cause: error },
      );
    throw broken(name, error);
  }
}

function broken(name: string, cause: unknown): InputError {
  return new InputError(
    "input.invalid",
    `"${name}" cannot be read as a PDF: it is damaged or cut off. Open it in a viewer and export it again.`,
    { cause },
  );
}

async function readItems(
  document: PdfDocument,
  number: number,
  suspect: boolean,
): Promise<ShownItems<TextItem>> {
  const page = await document.getPage(number);
  const { items: extracted } = await page.getTextContent();
  const items = extracted.flatMap((item) => {
    if (!("str" in item)) return [];
    const [a, b, , , x, y] = item.transform as readonly number[];
    const size = Math.hypot(a ?? 0, b ?? 0) || item.height;
    // The size of a Type 3 font says nothing about its glyphs.
    const extent = Math.max(size, item.height, item.width / Math.max(1, item.str.length)) * page.userUnit;
    const unreadable = extent < UNREADABLE_SIZE;
    return [{ text: item.str, x: x ?? 0, y: y ?? 0, width: item.width, size: size || 10, unreadable }];
  });
  const drawn = suspect && items.length > 0 ? await findHiddenTextOf(page) : undefined;
  page.cleanup();
  const shown = drawn === undefined ? { items, hidden: 0 } : withoutHiddenText(items, drawn);
  const readable = shown.items.filter((item) => !item.unreadable);
  const unreadable = shown.items.filter((item) => item.unreadable);
  return {
    items: readable,
    hidden: unreadable.reduce((sum, { text }) => sum + text.trim().length, shown.hidden),
  };
}

async function findHiddenTextOf(page: PdfPage): Promise<DrawnText | undefined> {
  const { AnnotationMode, OPS } = await getResolvedPDFJS();
  const operators = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  return findHiddenText(operators, OPS, Math.abs((right - left) * (top - bottom)));
}

async function readProperties(document: PdfDocument): Promise<{ readonly [name: string]: string }> {
  const { info } = await document.getMetadata();
  const title = (info as { Title?: unknown }).Title;
  return typeof title === "string" && title.trim() !== "" ? { title: title.trim() } : {};
}
