import { expect, test } from "vitest";

import { passages } from "../testing/evidence.ts";
import { findings } from "../testing/findings.ts";
import { isDelimiterRow, readSegments } from "./sentences.ts";

test.each([
  ["|---|:-:|---:|", true],
  ["  --- | ---  ", true],
  ["| --wait | 77 |", false],
  ["--retries defaults to 99 [1].", false],
  ["| - | - |", false],
  ["", false],
])("%j is a delimiter row: %j", (line, expected) => {
  expect(isDelimiterRow(line)).toBe(expected);
});

const options = passages(
  "| Option | Default |\n|---|---|\n| --wait | 20 |\n| --retries | 3 |",
  "Costs fell by 54 % to EUR 9 million.",
);

test.each([
  ["--retries defaults to 99 [1].", ["figure: 99"]],
  ["| Option | Default |\n|---|---|\n| --wait | 77 |\n| --retries | 3 |\n\n[1]", ["figure: 77", "verified"]],
  ["| Option | Default |\n|---|---|\n| --retries | 7 |\n| --wait | 20 |\n\n[1]", ["figure: 7", "verified"]],
])("a line that begins with an option is compared: %j", (answer, expected) => {
  expect(findings(answer, options)).toEqual(expected);
});
