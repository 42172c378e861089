import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  HeadingLevel,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import JSZip from "jszip";

import { longDate, plain, toRuns } from "./source.mjs";

const LEVELS = [
  undefined,
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
];
const WIDTH = 9026;
const DEEP = "0B4F6C";

export async function makeDocx(source) {
  const { meta } = source;
  const document = new Document({
    title: meta.title,
    subject: meta.subtitle ?? meta.title,
    creator: meta.author ?? "Norrvik Instruments AB",
    lastModifiedBy: meta.author ?? "Norrvik Instruments AB",
    description: meta.note ?? "",
    styles: styles(),
    numbering: { config: ["numbers", "more-numbers", "third-numbers", "fourth-numbers"].map(numbered) },
    sections: [
      {
        properties: {},
        footers: { default: footer(meta) },
        children: [...head(meta), ...body(source.tokens)],
      },
    ],
  });
  const bytes = await freeze(await Packer.toBuffer(document), meta.date);
  const words = source.tokens
    .map((token) => token.raw)
    .join(" ")
    .split(/\s+/).length;
  return { bytes, note: `${words} words` };
}

function styles() {
  const heading = (size, before) => ({
    run: { font: "Calibri", size, bold: true, color: DEEP },
    paragraph: { spacing: { before, after: 120 }, keepNext: true },
  });
  return {
    default: {
      document: { run: { font: "Calibri", size: 22 }, paragraph: { spacing: { after: 140, line: 288 } } },
      title: {
        run: { font: "Calibri", size: 52, bold: true, color: DEEP },
        paragraph: { spacing: { after: 80 } },
      },
      heading1: heading(32, 360),
      heading2: heading(26, 260),
      heading3: heading(23, 200),
    },
  };
}

function numbered(reference) {
  return {
    reference,
    levels: [
      {
        level: 0,
        format: LevelFormat.DECIMAL,
        text: "%1.",
        alignment: AlignmentType.START,
        style: { paragraph: { indent: { left: 480, hanging: 360 } } },
      },
    ],
  };
}

function footer(meta) {
  return new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.CENTER,
        children: [
          new TextRun({ text: `Norrvik Instruments AB · ${meta.title} · `, size: 17, color: "5A6B7A" }),
          new TextRun({ children: [PageNumber.CURRENT], size: 17, color: "5A6B7A" }),
        ],
      }),
    ],
  });
}

function head(meta) {
  const facts = [
    ["Version", meta.version],
    ["Date", longDate(meta.date)],
    ["Owner", meta.owner],
    ["Approved by", meta.approved],
    ["Status", meta.status],
    ["Classification", meta.classification],
  ].filter(([, value]) => value !== undefined);
  return [
    new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(meta.title)] }),
    ...(meta.subtitle
      ? [new Paragraph({ children: [new TextRun({ text: meta.subtitle, size: 26, color: "5A6B7A" })] })]
      : []),
    ...facts.map(
      ([name, value]) =>
        new Paragraph({
          spacing: { after: 20 },
          children: [new TextRun({ text: `${name}: `, bold: true }), new TextRun(value)],
        }),
    ),
    ...(meta.note
      ? [
          new Paragraph({
            spacing: { before: 160 },
            children: [new TextRun({ text: meta.note, italics: true })],
          }),
        ]
      : []),
  ];
}

function body(tokens) {
  let lists = 0;
  const names = ["numbers", "more-numbers", "third-numbers", "fourth-numbers"];
  const shown = tokens.filter((token) => token.type !== "space");
  return shown.flatMap((token, at) => {
    // A rule in the source is a new page.
    const pageBreakBefore = shown[at - 1]?.type === "hr";
    if (token.type === "heading") {
      const children = [new TextRun(plain(token.tokens))];
      return [new Paragraph({ heading: LEVELS[token.depth], pageBreakBefore, children })];
    }
    if (token.type === "paragraph") return [new Paragraph({ pageBreakBefore, children: runs(token.tokens) })];
    if (token.type === "list") {
      const name = token.ordered ? names[lists++] : undefined;
      return token.items.map((item) => {
        const children = runs(item.tokens.flatMap((part) => part.tokens ?? []));
        const spacing = { after: 80 };
        return name === undefined
          ? new Paragraph({ bullet: { level: 0 }, spacing, children })
          : new Paragraph({ numbering: { reference: name, level: 0 }, spacing, children });
      });
    }
    if (token.type === "table") return [table(token), new Paragraph({ children: [] })];
    return [];
  });
}

const runs = (tokens) =>
  toRuns(tokens).map((run) => new TextRun({ text: run.text, bold: run.bold, italics: run.italic }));

function table(token) {
  const line = { style: BorderStyle.SINGLE, size: 4, color: "C9D3DA" };
  const texts = [token.header, ...token.rows].map((row) => row.map((cell) => plain(cell.tokens)));
  // Roughly characters: room for the longest word, and no more than 40 for one column.
  const weights = texts[0].map((_, at) => {
    const cells = texts.map((row) => row[at] ?? "");
    const word = Math.max(...cells.flatMap((cell) => cell.split(" ").map((part) => part.length)));
    return Math.max(word + 5, Math.min(40, Math.max(...cells.map((cell) => cell.length))));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const widths = weights.map((weight) => Math.round((weight / total) * WIDTH));
  return new Table({
    width: { size: WIDTH, type: WidthType.DXA },
    columnWidths: widths,
    borders: {
      top: line,
      bottom: line,
      left: line,
      right: line,
      insideHorizontal: line,
      insideVertical: line,
    },
    rows: texts.map(
      (cells, at) =>
        new TableRow({
          tableHeader: at === 0,
          cantSplit: true,
          children: cells.map(
            (text, column) =>
              new TableCell({
                width: { size: widths[column], type: WidthType.DXA },
                margins: { top: 50, bottom: 50, left: 90, right: 90 },
                ...(at === 0 ? { shading: { type: ShadingType.CLEAR, fill: "EEF4F7", color: "auto" } } : {}),
                children: [
                  new Paragraph({
                    spacing: { after: 0, line: 250 },
                    alignment:
                      token.header[column].align === "right" ? AlignmentType.RIGHT : AlignmentType.LEFT,
                    children: [new TextRun({ text, size: 19, bold: at === 0 })],
                  }),
                ],
              }),
          ),
        }),
    ),
  });
}

/** The library stamps the clock into the properties and the archive; both are set to the document's date. */
async function freeze(bytes, iso) {
  const from = await JSZip.loadAsync(bytes);
  const to = new JSZip();
  const date = new Date(`${iso}T08:00:00Z`);
  for (const name of Object.keys(from.files).toSorted()) {
    if (from.files[name].dir) continue;
    let content = await from.files[name].async("nodebuffer");
    if (name === "docProps/core.xml")
      content = Buffer.from(
        content.toString("utf8").replace(/(<dcterms:\w+ [^>]*>)[^<]*/g, `$1${date.toISOString()}`),
      );
    to.file(name, content, { date, createFolders: false });
  }
  return to.generateAsync({
    type: "nodebuffer",
    compression: "DEFLATE",
    compressionOptions: { level: 9 },
    platform: "DOS",
  });
}
