/** A line of text on a page; x and y in points from the lower left corner of an A4 page. */
export interface TinyPdfText {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  /** Font size in points, 11 by default. */
  readonly size?: number;
  /** Text render mode, 0 (filled) by default; 3 is invisible. */
  readonly mode?: number;
  /** Red, green and blue from 0 to 1, black by default. */
  readonly color?: readonly [number, number, number];
}

/** Left, bottom, width and height in points. */
type Box = readonly [number, number, number, number];

export interface TinyPdfRectangle {
  readonly rectangle: Box;
  readonly color: readonly [number, number, number];
}

export interface TinyPdfImage {
  readonly image: Box;
  /** Width and height of the image in pixels, 8 by default. */
  readonly pixels?: number;
}

/** What a page draws, in this order. */
export type TinyPdfContent = TinyPdfText | TinyPdfRectangle | TinyPdfImage;

export interface TinyPdfOptions {
  readonly title?: string;
  /** First printed number of a `/PageLabels` range that starts on the given physical page. */
  readonly labels?: readonly { readonly page: number; readonly style: "D" | "r"; readonly first: number }[];
  /** Adds an `/Encrypt` entry that no empty password opens. */
  readonly encrypted?: boolean;
}

/**
 * The smallest PDF that readers agree on: uncompressed streams, Helvetica, a true cross-reference
 * table. Texts are Latin-1.
 */
export function tinyPdf(
  pages: readonly (readonly TinyPdfContent[])[],
  options: TinyPdfOptions = {},
): Uint8Array<ArrayBuffer> {
  const objects: string[] = [];
  const pageIds = pages.map((_, at) => 4 + at * 2);
  objects.push(`<< /Type /Catalog /Pages 2 0 R${labelsEntry(options)} >>`);
  objects.push(
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(" ")}] >>`,
  );
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  for (const [at, texts] of pages.entries()) {
    const content = texts.map(show).join("\n");
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  objects.push(`<< /Title (${escape(options.title ?? "")}) >>`);
  const infoId = objects.length;
  if (options.encrypted === true)
    objects.push(
      `<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> >>`,
    );
  return serialize(objects, infoId, options.encrypted === true ? objects.length : undefined);
}

function serialize(
  objects: readonly string[],
  infoId: number,
  encryptId: number | undefined,
): Uint8Array<ArrayBuffer> {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const encrypt = encryptId === undefined ? "" : ` /Encrypt ${encryptId} 0 R /ID [<00> <00>]`;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${infoId} 0 R${encrypt} >>\nstartxref\n${xref}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file, "latin1"));
}

function labelsEntry({ labels }: TinyPdfOptions): string {
  if (labels === undefined) return "";
  const ranges = labels.map(({ page, style, first }) => `${page - 1} << /S /${style} /St ${first} >>`);
  return ` /PageLabels << /Nums [${ranges.join(" ")}] >>`;
}

function show(content: TinyPdfContent): string {
  if ("image" in content) return showImage(content);
  if ("rectangle" in content) return `q ${content.color.join(" ")} rg ${content.rectangle.join(" ")} re f Q`;
  const { text, x = 56, y, size = 11, mode, color } = content;
  const state = `${color === undefined ? "" : `${color.join(" ")} rg `}${mode === undefined ? "" : `${mode} Tr `}`;
  const shown = `BT ${state}/F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escape(text)}) Tj ET`;
  return state === "" ? shown : `q ${shown} Q`;
}

/** A black image, one bit a pixel. */
function showImage({ image: [x, y, width, height], pixels = 8 }: TinyPdfImage): string {
  const data = "\0".repeat(Math.ceil(pixels / 8) * pixels);
  return `q ${width} 0 0 ${height} ${x} ${y} cm BI /W ${pixels} /H ${pixels} /BPC 1 /CS /G ID ${data} EI Q`;
}

function escape(text: string): string {
  return text.replace(/[\\()]/g, "\\$&");
}
