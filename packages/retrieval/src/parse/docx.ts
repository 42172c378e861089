import { InputError } from "@troupe/core/errors";

import { DocxBody, type DocxParts, type DocxStory } from "./docx-body.ts";
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
    const unpacked = [...parts.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const texts =
      targets.length === 0 ? new Map<string, string>() : readZipTexts(bytes, targets, name, limits, unpacked);
    const pages = new DocxBody(styles, rendered, partsOf(related, texts, styles)).read(body);
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

/** Each part is read once, when the body first refers to it: many relationships may name one large part. */
function partsOf(
  related: readonly Related[],
  texts: ReadonlyMap<string, string>,
  styles: DocxStyles,
): DocxParts {
  const read = new Map<string, ReadonlyMap<string, DocxStory>>();
  const storiesOf = (target: string): ReadonlyMap<string, DocxStory> => {
    const xml = texts.get(target);
    const stories =
      read.get(target) ?? (xml === undefined ? new Map() : new DocxBody(styles, false).readStories(xml));
    read.set(target, stories);
    return stories;
  };
  const targetsOf = (kind: RelatedKind): readonly string[] => [
    ...new Set(related.filter((part) => part.kind === kind).map(({ target }) => target)),
  ];
  const notes = { footnotes: targetsOf("footnotes"), endnotes: targetsOf("endnotes") };
  const margins = new Map(
    related
      .filter(({ kind }) => kind === "header" || kind === "footer")
      .map(({ id, target }) => [id, target]),
  );
  return {
    // A document has one part of each kind of notes; of several the last counts.
    note: (kind, id) => storiesOf(notes[kind].at(-1) ?? "").get(id),
    margin: (id) => storiesOf(margins.get(id) ?? "").get(""),
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
