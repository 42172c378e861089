import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it } from "vitest";

import { cleanUp, temporaryFolder } from "../../testing/troupe.ts";
import { readText } from "./read-text.ts";

afterEach(cleanUp);

it("splits a long text between its paragraphs and loses nothing of it", async () => {
  const folder = temporaryFolder();
  const text = Array.from({ length: 500 }, (_, at) => `Paragraph ${at} says ${at * 7}.`).join("\n\n");
  writeFileSync(join(folder, "a.md"), text);
  const parts = await readText(folder, "a.md");
  expect(parts.length).toBeGreaterThan(1);
  expect(Math.max(...parts.map((part) => part.text.length))).toBeLessThanOrEqual(8_000);
  expect(parts.map((part) => part.text).join("\n\n")).toBe(text);
});
