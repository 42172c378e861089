import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterEach, beforeEach, expect, it } from "vitest";

import { holdFile, isHeld } from "./held-file.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "held-file-"));
  file = join(folder, "one.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

it("is held until it is let go, and by one only", () => {
  const letGo = holdFile(file);
  expect(isHeld(file)).toBe(true);
  expect(holdFile(file)).toBeUndefined();
  letGo?.();
  expect(existsSync(file)).toBe(false);
  expect(isHeld(file)).toBe(false);
});

it("is not held where there is no such file, or none of ours", () => {
  mkdirSync(file);
  expect(isHeld(file)).toBe(false);
  const other = join(folder, "other.lock");
  writeFileSync(other, "some other text ".repeat(100));
  expect(isHeld(other)).toBe(false);
  expect(existsSync(other)).toBe(true);
});

/** With a journal to roll back that cannot be read. */
function makeUnreadable(): void {
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE one (id)");
  database.close();
  mkdirSync(`${file}-journal`);
}

it("is neither held nor free where that cannot be told", () => {
  makeUnreadable();
  expect(() => isHeld(file, { clean: true })).toThrow(/disk I\/O error/);
  expect(existsSync(file)).toBe(true);
  expect(() => holdFile(file)).toThrow(/disk I\/O error/);
});
