import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { checkCases, DEEDS, type Scope } from "../testing/model/check-cases.ts";
import { RUN_RULES, STEP_RULES, WHEN } from "../testing/model/rules.ts";

const design = readFileSync(new URL("../../DESIGN.md", import.meta.url), "utf8");

/** Cells of the rows of the table below a line that begins so. */
function tableBelow(begin: string): readonly (readonly string[])[] {
  const lines = design.split("\n");
  const rows = lines.slice(lines.findIndex((line) => line.startsWith(begin)));
  const from = rows.findIndex((line) => line.startsWith("|"));
  const table = rows.slice(from, from + rows.slice(from).findIndex((line) => !line.startsWith("|")));
  return table.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("the rules", () => {
  it("are those of DESIGN.md, of steps", () => {
    expect(tableBelow("## A step")).toEqual(
      STEP_RULES.map(({ from, to, when }) => [`\`${from}\``, `\`${to}\``, WHEN[when]]),
    );
  });

  it("are those of DESIGN.md, of runs", () => {
    expect(tableBelow("## A run")).toEqual(RUN_RULES.map(({ end, when }) => [`\`${end}\``, when]));
  });
});

it.each<[string, Scope, number]>([
  [
    "one step, whatever becomes of it, canceled after each entry and killed at each write",
    { steps: 1, deeds: DEEDS, cancels: true, deaths: true },
    300,
  ],
  ["two steps, whatever becomes of them, for every graph and policy", { steps: 2, deeds: DEEDS }, 900],
  [
    "three steps that complete or fail, for every graph and policy",
    { steps: 3, deeds: ["completes", "fails"] },
    1_024,
  ],
])(
  "the driver follows them in every run of %s",
  async (_what, scope, least) => {
    const { runs, failures } = await checkCases(scope);
    expect(failures.slice(0, 5)).toEqual([]);
    expect(runs).toBeGreaterThanOrEqual(least);
  },
  60_000,
);
