import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { makeFolder } from "./make-folder.ts";

it("creates the folders above too, for nobody else to look into", () => {
  const root = mkdtempSync(join(tmpdir(), "troupe-folder-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  makeFolder(join(root, "a", "b"));
  makeFolder(join(root, "a", "b"));
  expect([join(root, "a"), join(root, "a", "b")].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o700,
  ]);
});

it.runIf(existsSync("/proc/self"))("fails at once below a folder that takes none", () => {
  expect(() => makeFolder("/proc/x/y")).toThrow(/ENOENT|EACCES|EPERM/);
});
