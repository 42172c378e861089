import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, it } from "vitest";

import { withFileLock } from "./file-lock.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("names the lock file where it cannot be opened", () => {
  mkdirSync(join(folder, "keys.lock"));
  expect(() => withFileLock({ folder, name: "keys" }, () => 1)).toThrow(
    expect.objectContaining({
      code: "store.io",
      message: expect.stringContaining("Check the permissions of the folder and of keys.lock"),
    }),
  );
});

it("names what the system says of the folder", () => {
  const missing = join(folder, "missing");
  expect(() => withFileLock({ folder: missing, name: "keys" }, () => 1)).toThrow(
    expect.objectContaining({
      code: "store.io",
      message: expect.stringContaining("cannot be changed (ENOENT)"),
    }),
  );
});
