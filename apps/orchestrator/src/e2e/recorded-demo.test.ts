import { join } from "node:path";
import { readFileSync } from "node:fs";

import { afterAll, expect, it } from "vitest";

import { readPptx } from "../testing/read-pptx.ts";
import { cleanUp, runTroupe, temporaryFolder } from "../testing/troupe.ts";

afterAll(cleanUp);

it("makes the presentation of the example from a model's recorded answers, and says that they are recorded", async () => {
  const end = await runTroupe(["demo"], { home: join(temporaryFolder(), "home") });
  expect(end).toMatchObject({ code: 0 });
  expect(end.stderr).toMatch(/^The words of the model are a recording of .*; everything else is live\.$/m);
  expect(end.stderr).not.toContain("no longer fits");
  expect(end.stdout).not.toContain("Not found in the sources");
  const [, path = "no presentation is named"] =
    /^Files\n(?: {2}.+\n)*? {2}(.+\.pptx)$/m.exec(end.stdout) ?? [];
  const slides = await readPptx(readFileSync(path));
  expect(slides.length).toBeGreaterThanOrEqual(6);
  expect(slides.filter(({ notes }) => notes.includes("Not found in the sources"))).toEqual([]);
});
