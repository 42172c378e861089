import { strToU8, zipSync } from "fflate";

/** A paragraph: text with a style such as `Heading1`, or a table, or a break to the next page. */
export type TinyDocxBlock =
  | { readonly text: string; readonly style?: string; readonly item?: boolean }
  | { readonly rows: readonly (readonly string[])[] }
  /** `rendered` is the break Word notes when it lays a file out, `hard` one that the author typed. */
  | { readonly page: "rendered" | "hard" };

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** A small Word document with heading styles 1 to 3. */
export function tinyDocx(
  blocks: readonly TinyDocxBlock[],
  options: { readonly title?: string } = {},
): Uint8Array<ArrayBuffer> {
  const styles = [1, 2, 3]
    .map(
      (level) =>
        `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`,
    )
    .join("");
  return new Uint8Array(
    zipSync({
      "[Content_Types].xml": strToU8(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      ),
      "docProps/core.xml": strToU8(
        `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escape(options.title ?? "")}</dc:title></cp:coreProperties>`,
      ),
      "word/styles.xml": strToU8(`<w:styles xmlns:w="${W}">${styles}</w:styles>`),
      "word/document.xml": strToU8(
        `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="${W}"><w:body>${blocks.map(block).join("")}</w:body></w:document>`,
      ),
    }),
  );
}

const R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const NAMESPACES = `xmlns:w="${W}" xmlns:r="${R}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"`;

/** WordprocessingML of the parts of a document: notes by their id, headers and footers by their relationship id. */
export interface TinyDocxParts {
  readonly body: string;
  readonly styles?: string;
  readonly footnotes?: { readonly [id: string]: string };
  readonly endnotes?: { readonly [id: string]: string };
  readonly headers?: { readonly [id: string]: string };
  readonly footers?: { readonly [id: string]: string };
}

/** A Word document of several parts, for what `tinyDocx` has no words for. */
export function docxOfParts(parts: TinyDocxParts): Uint8Array<ArrayBuffer> {
  const files: Record<string, string> = {
    "word/document.xml": `<w:document ${NAMESPACES}><w:body>${parts.body}</w:body></w:document>`,
    "word/styles.xml": `<w:styles ${NAMESPACES}>${parts.styles ?? ""}</w:styles>`,
  };
  const related: string[] = [];
  const add = (id: string, kind: string, target: string, xml: string): void => {
    files[`word/${target}`] = xml;
    related.push(`<Relationship Id="${id}" Type="${R}/${kind}" Target="${target}"/>`);
  };
  for (const kind of ["footnote", "endnote"] as const) {
    const notes = Object.entries(parts[`${kind}s`] ?? {}).map(
      ([id, content]) => `<w:${kind} w:id="${id}">${content}</w:${kind}>`,
    );
    add(`${kind}s`, `${kind}s`, `${kind}s.xml`, `<w:${kind}s ${NAMESPACES}>${notes.join("")}</w:${kind}s>`);
  }
  for (const [kind, root] of [
    ["header", "w:hdr"],
    ["footer", "w:ftr"],
  ] as const)
    for (const [id, content] of Object.entries(parts[`${kind}s`] ?? {}))
      add(id, kind, `${kind}-${id}.xml`, `<${root} ${NAMESPACES}>${content}</${root}>`);
  files["word/_rels/document.xml.rels"] =
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.join("")}</Relationships>`;
  return new Uint8Array(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  );
}

function block(item: TinyDocxBlock): string {
  if ("page" in item)
    return item.page === "hard"
      ? '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
      : "<w:p><w:r><w:lastRenderedPageBreak/></w:r></w:p>";
  if ("rows" in item) {
    const rows = item.rows.map(
      (cells) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell, "")}</w:tc>`).join("")}</w:tr>`,
    );
    return `<w:tbl>${rows.join("")}</w:tbl>`;
  }
  const style = item.style === undefined ? "" : `<w:pStyle w:val="${item.style}"/>`;
  const list = item.item === true ? '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>' : "";
  return paragraph(item.text, style + list);
}

function paragraph(text: string, properties: string): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${escape(text)}</w:t></w:r></w:p>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
