import { InputError } from "@troupe/core/errors";
import { getDocumentProxy } from "unpdf";

import type { ParseLimits, RawDocument } from "./parsed-document.ts";
import { toLines } from "./pdf-lines.ts";
import type { TextItem, TextLine } from "./pdf-text.ts";
import { measureStyle, toPage } from "./pdf-paragraphs.ts";
import { stripRunningHeads } from "./pdf-running-heads.ts";
import { tooManyPages } from "./too-many-pages.ts";

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Text of a PDF with physical pages and the numbers printed on them. */
export async function parsePdf(bytes: Uint8Array, name: string, limits: ParseLimits): Promise<RawDocument> {
  const document = await open(bytes, name);
  try {
    if (document.numPages === 0)
      throw new InputError("input.invalid", `"${name}" is a PDF with 0 pages. Export it again.`);
    if (document.numPages > limits.maxPages) throw tooManyPages(name, document.numPages, limits.maxPages);
    const raw: (readonly TextLine[])[] = [];
    for (let number = 1; number <= document.numPages; number += 1)
      raw.push(toLines(await readItems(document, number)));
    const { pages, labels: printed } = stripRunningHeads(raw);
    const declared = await document.getPageLabels();
    const style = measureStyle(pages);
    return {
      mediaType: "application/pdf",
      paged: true,
      pages: pages.map((lines, at) => toPage(lines, style, at + 1, declared?.[at] || printed[at])),
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
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, stopAtErrors: false });
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

async function readItems(document: PdfDocument, number: number): Promise<readonly TextItem[]> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.flatMap((item) => {
    if (!("str" in item)) return [];
    const [a, b, , , x, y] = item.transform as readonly number[];
    const size = Math.hypot(a ?? 0, b ?? 0) || item.height || 10;
    return [{ text: item.str, x: x ?? 0, y: y ?? 0, width: item.width, size }];
  });
}

async function readProperties(document: PdfDocument): Promise<{ readonly [name: string]: string }> {
  const { info } = await document.getMetadata();
  const title = (info as { Title?: unknown }).Title;
  return typeof title === "string" && title.trim() !== "" ? { title: title.trim() } : {};
}
