import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { openLogFile, wasKilled } from "./log-file.ts";

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

it.each([
  ["", false],
  ['{"msg":"started"}\n', true],
  ['{"msg":"started"}\n{"msg":"a call"}\n', true],
  ['{"msg":"started"}\n{"reason":"SIGTERM","msg":"stopped"}\n', false],
  ['{"msg":"started"}\n{"msg":"stopped"}\n{"msg":"started"}\nnot JSON\n', true],
  ['{"msg":"quotes \\"msg\\":\\"started\\" of a person"}\n', false],
])("knows from a log whether the last run ended without a stop line (%j)", (text, killed) => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "app.log"), text);
  expect(wasKilled(join(folder, "app.log"))).toBe(killed);
  expect(wasKilled(join(folder, "none.log"))).toBe(false);
});
