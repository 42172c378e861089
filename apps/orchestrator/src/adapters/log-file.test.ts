import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { openLogFile } from "./log-file.ts";

it("keeps the order of lines, and of a long log only the last of it", () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "app.log");
  const lines = Array.from({ length: 2_000 }, (_, n) => `line ${n}`);
  const first = openLogFile(path, 8_000);
  for (const line of lines.slice(0, 1_000)) first.write(line);
  first.close();
  const second = openLogFile(path, 8_000);
  for (const line of lines.slice(1_000)) second.write(line);
  second.close();
  const kept = [`${path}.1`, path].flatMap((file) => readFileSync(file, "utf8").trimEnd().split("\n"));
  expect(kept).toEqual(lines.slice(-kept.length));
  expect(kept.length).toBeGreaterThan(800);
  expect(statSync(path).size).toBeLessThanOrEqual(8_000);
});

it("loses its lines and nothing else where it cannot be written", () => {
  const file = openLogFile(join(tmpdir(), "no", "such", "folder", "app.log"));
  expect(() => file.write("lost")).not.toThrow();
  file.close();
});
