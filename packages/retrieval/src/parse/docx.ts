import { InputError } from "@troupe/core/errors";

import { DocxBody, type DocxParts } from "./docx-body.ts";
import { readStyles, type DocxStyles } from "./docx-styles.ts";
import type { ParseLimits, RawDocument } from "./parsed-document.ts";
import { readXml } from "./xml.ts";
import { readZipTexts } from "./zip.ts";

const BODY = "word/document.xml";
const STYLES = "word/styles.xml";
const RELATIONSHIPS = "word/_rels/document.xml.rels";
const PROPERTIES = "docProps/core.xml";

/** Text of a Word document with headings, tables, lists, notes, text boxes, headers and footers, and the page breaks the file carries. */
export function parseDocx(bytes: Uint8Array, name: string, limits: ParseLimits): RawDocument {
  const parts = readZipTexts(bytes, [BODY, STYLES, RELATIONSHIPS, PROPERTIES], name, limits);
  const body = parts.get(BODY);
  if (body === undefined)
    throw new InputError(
      "input.invalid",
      `"${name}" holds no ${BODY}, so it is not a Word document. Save it as .docx and ingest that.`,
    );
  try {
    const rendered = body.includes("<w:lastRenderedPageBreak");
    const styles = readStyles(parts.get(STYLES) ?? "<w:styles/>");
    const related = readRelated(parts.get(RELATIONSHIPS));
    const targets = related.map(({ target }) => target);
    const texts =
      targets.length === 0 ? new Map<string, string>() : readZipTexts(bytes, targets, name, limits);
    const pages = new DocxBody(styles, rendered, readParts(related, texts, styles)).read(body);
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

type RelatedKind = "footnotes" | "endnotes" | "header" | "footer";

interface Related {
  readonly id: string;
  readonly kind: RelatedKind;
  /** Its path in the archive. */
  readonly target: string;
}

function readRelated(xml: string | undefined): readonly Related[] {
  const related: Related[] = [];
  if (xml === undefined) return related;
  readXml(xml, {
    open(name, { Id: id = "", Type: type = "", Target: target = "" }) {
      const kind = /\/(footnotes|endnotes|header|footer)$/.exec(type)?.[1] as RelatedKind | undefined;
      if (name !== "Relationship" || kind === undefined) return;
      related.push({ id, kind, target: target.startsWith("/") ? target.slice(1) : `word/${target}` });
    },
  });
  return related;
}

function readParts(
  related: readonly Related[],
  texts: ReadonlyMap<string, string>,
  styles: DocxStyles,
): DocxParts {
  const none = { footnotes: new Map(), endnotes: new Map(), margins: new Map() };
  const storiesOf = ({ target }: Related): ReadonlyMap<string, string> => {
    const xml = texts.get(target);
    return xml === undefined ? new Map() : new DocxBody(styles, false, none).readStories(xml);
  };
  const notesOf = (kind: RelatedKind): ReadonlyMap<string, string> =>
    new Map(related.filter((part) => part.kind === kind).flatMap((part) => [...storiesOf(part)]));
  const margins = related.filter(({ kind }) => kind === "header" || kind === "footer");
  return {
    footnotes: notesOf("footnotes"),
    endnotes: notesOf("endnotes"),
    margins: new Map(margins.map((part) => [part.id, storiesOf(part).get("") ?? ""])),
  };
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
