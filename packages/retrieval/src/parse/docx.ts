import { InputError } from "@troupe/core/errors";

import { DocxBody } from "./docx-body.ts";
import { readStyles } from "./docx-styles.ts";
import type { ParseLimits, RawDocument } from "./parsed-document.ts";
import { readXml } from "./xml.ts";
import { readZipTexts } from "./zip.ts";

const BODY = "word/document.xml";
const STYLES = "word/styles.xml";
const PROPERTIES = "docProps/core.xml";

/** Text of a Word document with headings, tables, lists and the page breaks the file carries. */
export function parseDocx(bytes: Uint8Array, name: string, limits: ParseLimits): RawDocument {
  const parts = readZipTexts(bytes, [BODY, STYLES, PROPERTIES], name, limits);
  const body = parts.get(BODY);
  if (body === undefined)
    throw new InputError(
      "input.invalid",
      `"${name}" holds no ${BODY}, so it is not a Word document. Save it as .docx and ingest that.`,
    );
  try {
    const rendered = body.includes("<w:lastRenderedPageBreak");
    const reader = new DocxBody(readStyles(parts.get(STYLES) ?? "<w:styles/>"), rendered);
    const pages = reader.read(body);
    return {
      mediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      paged: rendered || pages.length > 1,
      pages,
      properties: readTitle(parts.get(PROPERTIES)),
    };
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      "input.invalid",
      `"${name}" has damaged XML inside. Open it in Word or LibreOffice and save it again.`,
      { cause: error },
    );
  }
}

function readTitle(xml: string | undefined): { readonly [name: string]: string } {
  if (xml === undefined) return {};
  let title = "";
  let inTitle = false;
  readXml(xml, {
    open: (name) => {
      inTitle = name === "dc:title";
    },
    close: () => {
      inTitle = false;
    },
    text: (text) => {
      if (inTitle) title += text;
    },
  });
  return title.trim() === "" ? {} : { title: title.trim() };
}
