// Checks sentences without a model: reads lines `{"id", "lang", "sentence", "evidence": {"citations", "results", "given"}}`
// and prints a line `{"id", "findings": [{"kind", "detail"}]}` for each, with what a person would be shown.
//
//   npm run --silent check -- FILE.jsonl
import { readFileSync } from "node:fs";

import { answerCheck } from "../src/index.ts";

const [file, ...rest] = process.argv.slice(2);
if (file === undefined || rest.length > 0) {
  console.error("Usage: npm run --silent check -- FILE.jsonl");
  process.exit(2);
}
let text;
try {
  text = readFileSync(file, "utf8");
} catch (error) {
  console.error(`${file} cannot be read: ${error.message}`);
  process.exit(2);
}
for (const [index, line] of text.split("\n").entries()) {
  if (line.trim() === "") continue;
  let item;
  try {
    item = JSON.parse(line);
  } catch (error) {
    console.error(`${file}, line ${index + 1} is not JSON: ${error.message}`);
    process.exitCode = 1;
    continue;
  }
  const language = typeof item.lang === "string" ? { language: item.lang } : {};
  const checks = answerCheck.check(String(item.sentence ?? ""), readEvidence(item.evidence ?? {}), language);
  const findings = checks.flatMap(({ finding }) => (finding === undefined ? [] : [finding]));
  console.log(JSON.stringify({ id: item.id, findings }));
}

function readEvidence({ citations = [], results = [], given = [] }) {
  return {
    citations: citations.map(({ text, id, document = "", section, page }) => ({
      id: String(id),
      document,
      ...(section === undefined ? {} : { section }),
      ...(page === undefined ? {} : { page }),
      source: document,
      collection: "",
      chunkId: "",
      quote: text ?? "",
      passage: text ?? "",
      start: 0,
      end: (text ?? "").length,
    })),
    tables: results.map(({ id, title, columns, rows, sql }) => ({
      id: String(id),
      ...(title === undefined ? {} : { title }),
      ...(sql === undefined ? {} : { query: sql }),
      columns,
      rows: rows.map((row) => (Array.isArray(row) ? row : columns.map((column) => row[column] ?? null))),
    })),
    given: given.map((one) => (typeof one === "string" ? one : JSON.stringify(one))),
  };
}
