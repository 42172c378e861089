// Writes src/text/carlito.json: the advance widths of Carlito (OFL), which has the metrics of Calibri.
// Build-time only: `npm i fontkit` somewhere and run `node make-metrics.mjs Carlito-Regular.ttf Carlito-Bold.ttf`.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Named in a variable: nothing else needs it, so it is no dependency of the workspace.
const library = "fontkit";
const { openSync } = await import(library);

const [regular, bold] = process.argv.slice(2).map((file) => openSync(file));

/** Runs of neighbouring code points, each `[first, width, width, ...]` in font units. */
function runs(font) {
  const out = [];
  let last = -2;
  for (const point of font.characterSet.filter((p) => p >= 0x20 && p < 0x2c00).sort((a, b) => a - b)) {
    const width = Math.round(font.glyphForCodePoint(point).advanceWidth);
    if (point === last + 1) out.at(-1).push(width);
    else out.push([point, width]);
    last = point;
  }
  return out;
}

const metrics = {
  font: "Carlito",
  licence: "OFL-1.1",
  unitsPerEm: regular.unitsPerEm,
  lineHeight: (regular.hhea.ascent - regular.hhea.descent + regular.hhea.lineGap) / regular.unitsPerEm,
  ascent: regular.hhea.ascent / regular.unitsPerEm,
  regular: runs(regular),
  bold: runs(bold),
};
writeFileSync(
  fileURLToPath(new URL("../src/text/carlito.json", import.meta.url)),
  `${JSON.stringify(metrics)}\n`,
);
