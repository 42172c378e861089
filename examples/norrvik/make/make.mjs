// Writes the PDF and DOCX documents of Norrvik Instruments from sources/*.md into ../documents.
// The same sources give the same files, byte for byte: dates come from the front matter, not the clock.
//
//   npm install && npm run make -- [NAME ...]        (default: all)
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { makeDocx } from "./lib/docx.mjs";
import { makePdf } from "./lib/pdf.mjs";
import { readSource } from "./lib/source.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "documents");
const wanted = process.argv.slice(2);

mkdirSync(target, { recursive: true });
for (const file of readdirSync(join(here, "sources")).toSorted()) {
  const name = file.replace(/\.md$/, "");
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const source = readSource(join(here, "sources", file));
  const made = source.format === "docx" ? await makeDocx(source) : await makePdf(source);
  writeFileSync(join(target, `${name}.${source.format}`), made.bytes);
  process.stderr.write(`${name}.${source.format}: ${made.note}\n`);
}
