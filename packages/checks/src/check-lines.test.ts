import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "..", "scripts", "check-lines.mjs");

test("the script names each line that it cannot read, and checks the others", () => {
  const file = join(mkdtempSync(join(tmpdir(), "check-lines-")), "lines.jsonl");
  const evidence = { citations: [{ id: 1, text: "It has 5 boats." }] };
  const lines = [
    "null",
    "{",
    JSON.stringify({ id: "a", sentence: "x", evidence: null }),
    JSON.stringify({ id: "b", sentence: "x", evidence: { citations: [null] } }),
    JSON.stringify({ id: "c", sentence: "x", evidence: { results: [{ id: "q1", columns: ["n"] }] } }),
    JSON.stringify({ id: "d", sentence: "x", evidence: { results: [{ id: "q1", rows: [[1]] }] } }),
    JSON.stringify({ id: "e", sentence: "It has 6 boats [1].", lang: "en", evidence }),
  ];
  writeFileSync(file, lines.join("\n"));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning", SCRIPT, file],
    { encoding: "utf8" },
  );
  const errors = stderr.trim().split("\n");
  expect(errors.map((line) => line.replace(`${file}, line `, ""))).toEqual([
    "1: null is no object.",
    expect.stringMatching(/^2: .*JSON/),
    '4: "citations" of the evidence is no list of objects.',
    '5: result "q1" has no list "rows".',
    '6: result "q1" has no list "columns".',
  ]);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { id: "a", findings: [] },
    { id: "e", findings: [{ kind: "figure", detail: "6" }] },
  ]);
  expect(status).toBe(1);
});
