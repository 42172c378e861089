// Checks sentences without a model: reads lines `{"id", "lang", "sentence", "evidence": {"citations", "results", "given"}}`
// and prints a line `{"id", "findings": [{"kind", "detail"}]}` for each, with what a person would be shown. A line that
// cannot be read is named on stderr, and the exit code is 1. The README of this package names all keys.
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
  try {
    console.log(JSON.stringify(checkLine(line)));
  } catch (error) {
    console.error(`${file}, line ${index + 1}: ${error.message}`);
    process.exitCode = 1;
  }
}

function checkLine(line) {
  const item = JSON.parse(line);
  if (!isObject(item)) throw new Error(`${line.trim().slice(0, 40)} is no object.`);
  const language = typeof item.lang === "string" ? { language: item.lang } : {};
  const checks = answerCheck.check(String(item.sentence ?? ""), readEvidence(item.evidence ?? {}), language);
  return { id: item.id, findings: checks.flatMap(({ finding }) => (finding === undefined ? [] : [finding])) };
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws where a key of the evidence is not a list of objects, or a result has no columns or rows. */
function readEvidence(evidence) {
  if (!isObject(evidence)) throw new Error('"evidence" is no object.');
  const { citations = [], results = [], given = [] } = evidence;
  for (const [key, list] of Object.entries({ citations, results, given }))
    if (!Array.isArray(list) || (key !== "given" && !list.every(isObject)))
      throw new Error(`"${key}" of the evidence is no list${key === "given" ? "" : " of objects"}.`);
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
    tables: results.map(readResult),
    given: given.map((one) => (typeof one === "string" ? one : JSON.stringify(one))),
  };
}

function readResult({ id, title, columns, rows, sql }) {
  for (const [key, list] of Object.entries({ columns, rows }))
    if (!Array.isArray(list)) throw new Error(`result ${JSON.stringify(id)} has no list "${key}".`);
  return {
    id: String(id),
    ...(title === undefined ? {} : { title: String(title) }),
    ...(sql === undefined ? {} : { query: String(sql) }),
    columns: columns.map(String),
    rows: rows.map((row) => {
      if (Array.isArray(row)) return row;
      if (!isObject(row))
        throw new Error(`result ${JSON.stringify(id)} has a row that is no list or object.`);
      return columns.map((column) => row[column] ?? null);
    }),
  };
}
