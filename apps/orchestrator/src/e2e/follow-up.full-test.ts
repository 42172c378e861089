import { readFileSync } from "node:fs";
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

it("makes the deck of five slides, out of the same findings, after everything was started anew", async () => {
  const home = join(temporaryFolder(), "home");
  const first = await runTroupe(["demo"], { home });
  expect(first.stderr).toContain('run --continue "..."');
  const whole = await deckIn(first.stdout);
  // Each command starts servers of its own, and stops them.
  const second = await runTroupe(["run", "--continue", "now make it 5 slides"], { home });
  expect([second.code, second.stderr.match(/^ {2}\d+\. /gm)?.length]).toEqual([0, 1]);
  const { slides, bytes } = await deckIn(second.stdout);
  expect(slides).toHaveLength(5);
  expect(await lintDeck(bytes)).toEqual([]);
  expect(textOf(slides[0], "Title")).toBe(textOf(whole.slides[0], "Title"));
  expect(sourcesOf(slides)).toEqual(sourcesOf(whole.slides));
  expect(sourcesOf(slides).length).toBeGreaterThan(1);
  const said = new Set(
    whole.slides.flatMap(({ shapes }) => shapes.map(({ text }) => text.replaceAll(/\[\d+\]/g, ""))),
  );
  const points = slides.flatMap(({ shapes }) =>
    shapes.filter(({ name }) => name.startsWith("Point ")).map(({ text }) => text.replaceAll(/\[\d+\]/g, "")),
  );
  expect(points.length).toBeGreaterThan(4);
  expect(points.filter((text) => !said.has(text))).toEqual([]);
  expect(slides.flatMap(({ charts }) => charts)[0]).toEqual(whole.slides.flatMap(({ charts }) => charts)[0]);

  const third = await runTroupe(["run", "--continue", "and for 2024?"], { home });
  const other = (await deckIn(third.stdout)).slides;
  expect([third.code, other.length]).toEqual([0, 5]);
  expect(other.flatMap(({ charts }) => charts)).toHaveLength(1);
  expect(sourcesOf(other)).toEqual(sourcesOf(slides));

  const none = await runTroupe(["run", "--after", "no-such-run", "shorter"], { home });
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('There is no run "no-such-run"')]);
});
