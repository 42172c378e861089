import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { replaceFile } from "./replace-file.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "troupe-replace-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("replaceFile", () => {
  it("makes or replaces a file that nobody else reads, and leaves nothing beside it", async () => {
    const path = join(dir, "kept.json");
    for (const text of ["one", "two"]) {
      await replaceFile(path, text);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    writeFileSync(path, "by somebody else", { mode: 0o644 });
    await replaceFile(path, "three", { part: join(dir, ".own.part") });
    expect([statSync(path).mode & 0o777, readdirSync(dir)]).toEqual([0o600, ["kept.json"]]);
  });

  it("lets several at once each write a whole one", async () => {
    const path = join(dir, "kept.json");
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(100_000));
    await Promise.all(texts.map((text) => replaceFile(path, text)));
    expect(texts).toContain(readFileSync(path, "utf8"));
    expect(readdirSync(dir)).toEqual(["kept.json"]);
  });

  it("throws what the file system says, and leaves what was there", async () => {
    mkdirSync(join(dir, "taken", "below"), { recursive: true });
    await expect(replaceFile(join(dir, "taken"), "x")).rejects.toMatchObject({ code: "EISDIR" });
    await expect(replaceFile(join(dir, "none", "x"), "x")).rejects.toMatchObject({ code: "ENOENT" });
    expect(readdirSync(dir)).toEqual(["taken"]);
  });
});
