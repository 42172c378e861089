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

test.each([
  ["Costs fell by 45 % [2].", ["verified", "figure: 45 %"]],
  ["Costs fell by 54 % [2].", ["verified", "verified"]],
  ["Total cost: EUR 999 million [2]", ["verified", "figure: 999 million"]],
  ["- Costs in Norway [2]", ["verified", "name: Norway"]],
  ["**Source:** [1]", ["verified"]],
  ["Table: options [1]", ["verified"]],
])("a short line below a table is compared where it has a figure: %s", (line, expected) => {
  const table = `| Option | Default |\n|---|---|\n| --wait | 20${line.endsWith("[1]") ? "" : " [1]"} |`;
  for (const gap of ["\n", "\n\n"]) expect(findings(`${table}${gap}${line}`, options)).toEqual(expected);
});

test.each([
  ["The tunnel has 36 km. The toll is EUR 5.", 2],
  ["It needs 512 MB. Others need less.", 2],
  ["The fee is 36 EUR. The toll is EUR 5.", 2],
  ["Sales fell in the EU. Revenue did not.", 2],
  ["Es waren 36,0 Mio. EUR im Jahr.", 1],
  ["Es waren 5 Std. Arbeit.", 1],
  ["Sie zahlten 3 Mrd. Euro.", 1],
  ["We met Dr. Ek and Mr. Ray in St. Gallen.", 1],
  ["H. Peter Anvin met J. R. Ewing.", 1],
  ["Es regierte Karl II. Felix danach nicht.", 1],
])("%s has sentences: %i", (answer, count) => {
  expect(readSegments(answer, { isKnown: () => true })).toHaveLength(count);
});
