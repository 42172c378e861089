import { createRequire } from "node:module";

import PDFDocument from "pdfkit";

import { COLORS } from "./colors.mjs";
import { drawBars, drawTable } from "./pdf-figures.mjs";
import { longDate, plain, toRuns } from "./source.mjs";

const require = createRequire(import.meta.url);
const font = (family, face) => require.resolve(`@fontsource/${family}/files/${family}-latin-${face}.woff`);
const FONTS = {
  text: font("source-serif-4", "400-normal"),
  textBold: font("source-serif-4", "600-normal"),
  textItalic: font("source-serif-4", "400-italic"),
  sans: font("source-sans-3", "400-normal"),
  sansBold: font("source-sans-3", "600-normal"),
};
const MARGIN = { top: 70, bottom: 74, left: 80, right: 80 };
const BODY = 11;
const LEAD = 4.2;
const SIZES = [0, 20, 20, 13.5, 11.5];

/** Lays the document out twice: the first pass tells the contents page where the headings came to stand. */
export async function makePdf(source) {
  const first = await layOut(source, new Map());
  const second = await layOut(source, first.places);
  return { bytes: second.bytes, note: `${second.pages} pages` };
}

async function layOut(source, known) {
  const { meta } = source;
  const created = new Date(`${meta.date}T08:00:00Z`);
  const doc = new PDFDocument({
    size: "A4",
    margins: MARGIN,
    bufferPages: true,
    autoFirstPage: false,
    lang: "en-GB",
    displayTitle: true,
    info: {
      Title: meta.title,
      Author: meta.author ?? "Norrvik Instruments AB",
      Subject: meta.subtitle ?? meta.title,
      CreationDate: created,
      ModDate: created,
    },
  });
  const chunks = [];
  doc.on("data", (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve) => doc.on("end", resolve));
  for (const [name, path] of Object.entries(FONTS)) doc.registerFont(name, path);

  const state = { doc, meta, known, places: new Map(), firstBodyPage: 0, started: false };
  let count = 0;
  doc.on("pageAdded", () => (count += 1));
  state.page = () => count;
  cover(state);
  doc.addPage();
  const tokens = source.tokens.filter((token) => token.type !== "space");
  for (const [at, token] of tokens.entries()) block(state, token, tokens[at + 1]);
  const labelled = label(state, count);
  footers(state, count, labelled);
  doc.end();
  await ended;
  return { bytes: Buffer.concat(chunks), places: state.places, pages: count };
}

function cover({ doc, meta }) {
  doc.addPage();
  const { width } = doc.page;
  doc.rect(0, 0, width, 300).fill(COLORS.deep);
  doc.fillColor("white").font("sansBold").fontSize(13).text("Norrvik Instruments AB", MARGIN.left, 70);
  const size = 34;
  doc.font("sansBold").fontSize(size);
  const high = doc.heightOfString(meta.title, { width: width - MARGIN.left - MARGIN.right });
  doc.text(meta.title, MARGIN.left, 262 - high, { width: width - MARGIN.left - MARGIN.right });
  doc.fillColor(COLORS.ink).font("text").fontSize(14);
  if (meta.subtitle)
    doc.text(meta.subtitle, MARGIN.left, 332, { width: width - MARGIN.left - MARGIN.right, lineGap: 4 });
  doc.y = Math.max(doc.y + 26, 420);
  doc.font("sans").fontSize(11).fillColor(COLORS.ink);
  for (const [name, value] of [
    ["Date", longDate(meta.date)],
    ["Version", meta.version],
    ["Owner", meta.owner],
    ["Approved by", meta.approved],
    ["Status", meta.status],
    ["Classification", meta.classification],
  ])
    if (value) doc.font("sans").text(`${name}: ${value}`, MARGIN.left, undefined, { lineGap: 5 });
  if (meta.note)
    doc
      .moveDown(1.2)
      .font("text")
      .text(meta.note, { width: width - MARGIN.left - MARGIN.right, lineGap: 4 });
}

function block(state, token, next) {
  const { doc } = state;
  if (token.type === "heading") heading(state, token, next);
  else if (token.type === "paragraph") paragraph(state, token.tokens, next);
  else if (token.type === "list") list(state, token);
  else if (token.type === "table") drawTable(doc, token, ensure(state));
  else if (token.type === "code" && token.lang === "bars") drawBars(doc, token.text, ensure(state));
  else if (token.type === "blockquote") quote(state, token);
  else if (token.type === "html") directive(state, token.raw.trim());
}

/** `<!-- contents -->`, `<!-- body -->` (arabic numbers begin on a new page), `<!-- page -->`. */
function directive(state, raw) {
  const { doc } = state;
  if (raw === "<!-- contents -->") contents(state);
  else if (raw === "<!-- page -->") doc.addPage();
  else if (raw === "<!-- body -->") {
    doc.addPage();
    state.firstBodyPage = state.page();
    state.started = false;
  } else throw new Error(`Unknown directive ${raw}`);
}

const bottom = (doc) => doc.page.height - MARGIN.bottom;

/** Goes to a new page when less than `height` is left on this one. */
const ensure = (state) => (height) => {
  const { doc } = state;
  if (doc.y + height > bottom(doc)) doc.addPage();
};

function heading(state, { depth, tokens }, next) {
  const { doc, meta } = state;
  const text = plain(tokens);
  const atTop = doc.y <= MARGIN.top + 1;
  // A section opens a page of its own, unless more than half of this one is still free.
  if (depth === 2 && meta.sectionPages === "yes" && doc.y > doc.page.height * 0.48) doc.addPage();
  else if (!atTop) {
    const space = depth === 2 ? 22 : 12;
    ensure(state)(space + SIZES[depth] * 2.8 + leastHeight(doc, next));
    if (doc.y > MARGIN.top + 1) doc.y += space;
  }
  doc
    .font("sansBold")
    .fontSize(SIZES[depth])
    .fillColor(depth === 4 ? COLORS.ink : COLORS.deep);
  const y = doc.y;
  doc.text(text, MARGIN.left, y, { lineGap: 2 });
  doc.y += depth === 2 ? 8 : 4;
  state.places.set(`${depth} ${text}`, { depth, text, page: state.page() });
  if (depth === 2) doc.outline.addItem(text);
}

function write(doc, tokens, x, width, size = BODY) {
  const runs = toRuns(tokens);
  doc.fontSize(size).fillColor(COLORS.ink);
  for (const [at, run] of runs.entries()) {
    doc.font(run.bold ? "textBold" : run.italic ? "textItalic" : "text");
    const options = { width, lineGap: LEAD, continued: at < runs.length - 1 };
    if (at === 0) doc.text(run.text, x, doc.y, options);
    else doc.text(run.text, options);
  }
}

function heightOf(doc, tokens, width) {
  doc.font("text").fontSize(BODY);
  return doc.heightOfString(plain(tokens), { width, lineGap: LEAD });
}

const textWidth = (doc) => doc.page.width - MARGIN.left - MARGIN.right;

/** What must follow a heading on its page, so that it is never the last thing there. */
function leastHeight(doc, next) {
  if (next?.type === "paragraph") return Math.min(110, heightOf(doc, next.tokens, textWidth(doc)));
  if (next?.type === "table") return Math.min(next.rows.length, 8) * 22 + 30;
  return next?.type === "heading" ? 150 : 70;
}

function paragraph(state, tokens, next) {
  const { doc } = state;
  const width = textWidth(doc);
  const height = heightOf(doc, tokens, width);
  // A paragraph of up to five lines stays whole: no widows, no orphans, and sentences unbroken by a footer.
  if (height < 110) {
    const after = next?.type === "paragraph" ? heightOf(doc, next.tokens, width) : 0;
    ensure(state)(height + (after < 2 * BODY ? after + 7 : 0));
  }
  write(doc, tokens, MARGIN.left, width);
  doc.y += 7;
}

function list(state, token) {
  const { doc } = state;
  const indent = 16;
  for (const [at, item] of token.items.entries()) {
    const tokens = item.tokens.flatMap((part) => part.tokens ?? []);
    const width = textWidth(doc) - indent;
    ensure(state)(heightOf(doc, tokens, width));
    const y = doc.y;
    const mark = token.ordered ? `${Number(token.start || 1) + at}.` : "•";
    doc.font("text").fontSize(BODY).fillColor(COLORS.deep);
    doc.text(mark, MARGIN.left, y, { lineBreak: false });
    doc.y = y;
    write(doc, tokens, MARGIN.left + indent, width);
    doc.y += 3;
  }
  doc.y += 6;
}

function quote(state, token) {
  const { doc } = state;
  const tokens = token.tokens.flatMap((part) => part.tokens ?? []);
  const width = textWidth(doc) - 22;
  ensure(state)(heightOf(doc, tokens, width) + 10);
  const y = doc.y + 2;
  write(doc, tokens, MARGIN.left + 16, width);
  doc.rect(MARGIN.left, y, 2.5, doc.y - y - LEAD).fill(COLORS.deep);
  doc.y += 10;
}

function contents(state) {
  const { doc, known } = state;
  doc.font("sansBold").fontSize(20).fillColor(COLORS.deep).text("Contents", MARGIN.left, doc.y);
  doc.y += 10;
  for (const { depth, text, page } of known.values()) {
    if (depth !== 2 || page < state.page()) continue;
    const y = doc.y;
    doc.font("sans").fontSize(11.5).fillColor(COLORS.ink).text(text, MARGIN.left, y, { lineBreak: false });
    const number = String(page - known.offset);
    doc.text(number, doc.page.width - MARGIN.right - 40, y, { width: 40, align: "right" });
    doc.y = y + 21;
  }
}

/** Page labels: roman up to the body where the document has front matter, arabic otherwise. */
function label({ doc, firstBodyPage, places }, count) {
  places.offset = Math.max(0, firstBodyPage - 1);
  const nums = firstBodyPage > 0 ? [0, { S: "r" }, firstBodyPage - 1, { S: "D" }] : [0, { S: "D" }];
  // The library has no call for page labels; the catalogue of the PDF is the place for them.
  // oxlint-disable-next-line no-underscore-dangle
  doc._root.data.PageLabels = { Nums: nums };
  return Array.from({ length: count }, (_, at) =>
    at + 1 < firstBodyPage ? roman(at + 1) : String(at + 1 - places.offset),
  );
}

function roman(number) {
  return ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"][number];
}

function footers({ doc, meta }, count, labels) {
  for (let at = 1; at < count; at += 1) {
    doc.switchToPage(at);
    // Text below the bottom margin would otherwise open a new page.
    doc.page.margins.bottom = 0;
    const y = doc.page.height - 50;
    const width = textWidth(doc);
    doc
      .moveTo(MARGIN.left, y - 8)
      .lineTo(MARGIN.left + width, y - 8)
      .lineWidth(0.6)
      .stroke(COLORS.line);
    doc.font("sans").fontSize(8.5).fillColor(COLORS.soft);
    doc.text(`Norrvik Instruments AB · ${meta.footer ?? meta.title}`, MARGIN.left, y, { lineBreak: false });
    doc.text(labels[at], MARGIN.left, y, { width, align: "right", lineBreak: false });
  }
}
