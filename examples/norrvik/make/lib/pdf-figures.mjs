import { COLORS } from "./colors.mjs";
import { plain } from "./source.mjs";

const PAD = { x: 5, y: 4 };
const SIZE = 9.5;

/** A ruled table as wide as the text; it goes on over pages, its head comes again. */
export function drawTable(doc, token, ensure) {
  const { left, right } = doc.page.margins;
  const full = doc.page.width - left - right;
  const head = token.header.map((cell) => plain(cell.tokens));
  const rows = token.rows.map((row) => row.map((cell) => plain(cell.tokens)));
  const { size, widths } = fitColumns(doc, [head, ...rows], full);
  const align = token.header.map((cell) => cell.align ?? "left");

  const draw = (cells, isHead, isTotal) => {
    doc.font(isHead || isTotal ? "sansBold" : "sans").fontSize(size);
    const heights = cells.map((cell, at) => doc.heightOfString(cell, { width: widths[at] - 2 * PAD.x }));
    const height = Math.max(...heights) + 2 * PAD.y;
    const before = doc.y;
    ensure(height);
    if (!isHead && doc.y < before) draw(head, true, false);
    doc.font(isHead || isTotal ? "sansBold" : "sans").fontSize(size);
    const y = doc.y;
    if (isHead) doc.rect(left, y, full, height).fill(COLORS.wash);
    doc.fillColor(isHead ? COLORS.deep : COLORS.ink);
    let x = left;
    for (const [at, cell] of cells.entries()) {
      doc.text(cell, x + PAD.x, y + PAD.y, { width: widths[at] - 2 * PAD.x, align: align[at] });
      x += widths[at];
    }
    doc
      .moveTo(left, y + height)
      .lineTo(left + full, y + height)
      .lineWidth(isHead ? 0.9 : 0.4)
      .stroke(isHead ? COLORS.deep : COLORS.line);
    doc.y = y + height;
  };

  ensure(Math.min(rows.length, 8) * 22 + 30);
  draw(head, true, false);
  for (const row of rows)
    draw(row, false, /^(total|all sites|all events|net profit|operating profit)/i.test(row[0]));
  doc.x = left;
  doc.y += 14;
}

/**
 * Every column gets its longest word, short columns their whole text; what is left goes to the longest.
 * A table of many columns is set in smaller type until its words fit.
 */
function fitColumns(doc, rows, full) {
  for (const size of [SIZE, 9, 8.5, 8]) {
    const { least, natural } = measureColumns(doc, rows, full, size);
    if (sum(natural) <= full)
      return { size, widths: natural.map((width) => width + (full - sum(natural)) / natural.length) };
    if (sum(least) > full) continue;
    const share = (full - sum(least)) / (sum(natural) - sum(least));
    return { size, widths: least.map((width, at) => width + share * (natural[at] - width)) };
  }
  throw new Error(`The table that begins with "${rows[0].join(" | ")}" is too wide for the page.`);
}

const sum = (list) => list.reduce((total, width) => total + width, 0);

function measureColumns(doc, rows, full, size) {
  doc.font("sansBold").fontSize(size);
  const measure = (text) => doc.widthOfString(text) + 2 * PAD.x + 1;
  const longest = (texts) => Math.max(...texts.map(measure));
  const columns = rows[0].map((_, at) => {
    const [head, ...cells] = rows.map((row) => row[at] ?? "");
    const text = longest(cells);
    const words = text <= full / 4 ? text : longest(cells.flatMap((cell) => cell.split(" ")));
    return { least: Math.max(longest(head.split(" ")), words), natural: Math.max(text, measure(head)) };
  });
  return { least: columns.map((column) => column.least), natural: columns.map((column) => column.natural) };
}

/** Horizontal bars from lines `label | value | shown`; the first line is the caption. */
export function drawBars(doc, text, ensure) {
  const { left, right } = doc.page.margins;
  const full = doc.page.width - left - right;
  const [caption, ...lines] = text.split("\n");
  const bars = lines.map((line) => line.split("|").map((part) => part.trim()));
  const most = Math.max(...bars.map(([, value]) => Number(value)));
  ensure(bars.length * 22 + 40);
  doc
    .font("sansBold")
    .fontSize(SIZE)
    .fillColor(COLORS.deep)
    .text(caption, left, doc.y + 2);
  let y = doc.y + 6;
  for (const [name, value, shown] of bars) {
    doc
      .font("sans")
      .fontSize(SIZE)
      .fillColor(COLORS.ink)
      .text(name, left, y + 1, { width: 110, lineBreak: false });
    const width = (Number(value) / most) * (full - 190);
    doc.rect(left + 115, y, width, 14).fill(COLORS.deep);
    doc.fillColor(COLORS.ink).text(shown ?? value, left + 122 + width, y + 1, { lineBreak: false });
    y += 21;
  }
  doc.x = left;
  doc.y = y + 10;
}
