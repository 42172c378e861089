import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { lintDeck } from "@troupe/deck";
import { afterAll, expect, it } from "vitest";

import { readPptx, type ReadSlide } from "../testing/read-pptx.ts";
import { cleanUp, runTroupe, temporaryFolder } from "../testing/troupe.ts";

afterAll(cleanUp);

const textOf = (slide: ReadSlide | undefined, name: string): string =>
  slide?.shapes.find((shape) => shape.name === name)?.text ?? "";

async function deckIn(stdout: string): Promise<{ bytes: Uint8Array; slides: readonly ReadSlide[] }> {
  const [, path = ""] = /^Files\n(?: {2}.+\n)*? {2}(.+\.pptx)$/m.exec(stdout) ?? [];
  const bytes = readFileSync(path);
  return { bytes, slides: await readPptx(bytes) };
}

/** Documents and files in the table of the last slide. */
const sourcesOf = (slides: readonly ReadSlide[]): readonly string[] =>
  textOf(slides.at(-1), "Sources table")
    .split("\n")
    .filter((line) => /^(?:AI Strategy|sales\.csv)/.test(line));

/** Makes the deck again of what the first run found. */
const AGAIN = `version: 1
name: again
steps:
  - id: deck
    agent: ppt-agent
    instruction: 'Make a presentation titled "Norrvik''s AI strategy" of these results.'
    earlier: [turn1.documents, turn1.data]
`;

it("makes the deck again out of the same findings, after everything was started anew", async () => {
  const home = join(temporaryFolder(), "home");
  const first = await runTroupe(["demo", "--playbook"], { home });
  expect(first.stderr).toContain('run --continue "..."');
  const whole = await deckIn(first.stdout);
  // Each command starts servers of its own, and stops them.
  const file = join(home, "..", "again.yaml");
  writeFileSync(file, AGAIN);
  const second = await runTroupe(["run", "--continue", "--workflow", file, "Once more"], { home });
  expect(second.code).toBe(0);
  const { slides, bytes } = await deckIn(second.stdout);
  expect(await lintDeck(bytes)).toEqual([]);
  expect(sourcesOf(slides)).toEqual(sourcesOf(whole.slides));
  expect(sourcesOf(slides).length).toBeGreaterThan(1);
  const told = (of: readonly ReadSlide[]) =>
    of.map(({ shapes, charts }) => [shapes.map(({ text }) => text), charts]);
  expect(told(slides)).toEqual(told(whole.slides));
});

it("plans a plain new question without a model, and says of what follows on another that it takes one", async () => {
  const home = join(temporaryFolder(), "home");
  await runTroupe(["demo", "--playbook"], { home });
  const follows = await runTroupe(["run", "--continue", "now make it 5 slides"], { home });
  expect([follows.code, follows.stderr]).toEqual([
    1,
    expect.stringMatching(/takes a\s+model:\s+set\s+ANTHROPIC_API_KEY/),
  ]);
  const fresh = await runTroupe(["run", "--continue", "Show revenue by region in 2024"], { home });
  expect([fresh.code, fresh.stdout]).toEqual([0, expect.stringContaining("Nordics")]);
  const none = await runTroupe(["run", "--after", "no-such-run", "shorter"], { home });
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('There is no run "no-such-run"')]);
});
