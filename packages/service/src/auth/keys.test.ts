import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { silentLog } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { hashOf, isKey, keyIdOf, newKey } from "./api-key.ts";
import { keyFile } from "./key-file.ts";
import { openKeyRing } from "./key-ring.ts";
import { addKey, listKeys, revokeKey } from "./keys.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-keys-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});
const clock = virtualClock();
const add = (name: string, user = "ann", scopes: readonly string[] = ["*"]) =>
  addKey({ home, name, user, scopes, clock });

describe("an API key", () => {
  it("is shown once: what is kept is its hash, for nobody else to write", () => {
    const { id, key } = add("laptop");
    const kept = readFileSync(keyFile(home), "utf8");
    expect(kept).not.toContain(key);
    expect(kept).not.toContain(key.slice(16));
    expect(kept).toContain(hashOf(key));
    expect([statSync(keyFile(home)).mode & 0o777, statSync(dirname(keyFile(home))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(listKeys(home)).toEqual([
      { id, name: "laptop", user: "ann", scopes: ["*"], createdAt: clock.now() },
    ]);
  });

  it("is known by its prefix and its id, and nothing else is taken for one", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.string(), (bytes, text) => {
        const { id, key } = newKey((count) => bytes.subarray(0, count));
        expect(keyIdOf(key)).toBe(id);
        expect(isKey(key, hashOf(key))).toBe(true);
        expect(isKey(`${key}A`, hashOf(key))).toBe(false);
        expect(keyIdOf(key + text)).toBe(text === "" ? id : undefined);
        expect(keyIdOf(text)).toBeUndefined();
      }),
    );
  });

  it.each([
    ["a name with a space", "my key", "ann", ["*"]],
    ["no user", "a", "", ["*"]],
    ["a user that breaks a line", "a", "ann\nroot", ["*"]],
    ["a scope that is none", "a", "ann", ["agent:*"]],
    ["a scope with a space", "a", "ann", ["agent:a b"]],
  ])("is not made with %s", (_what, name, user, scopes) => {
    expect(() => add(name, user, scopes)).toThrow(expect.objectContaining({ code: "input.invalid" }));
    expect(listKeys(home)).toEqual([]);
  });

  it("has a name of its own, until it is revoked", () => {
    add("laptop");
    expect(() => add("laptop")).toThrow(/There is a key "laptop" already/);
    revokeKey(home, "laptop", clock);
    const { id } = add("laptop");
    expect(() => revokeKey(home, "laptpo", clock)).toThrow(/Did you mean "laptop"/);
    expect(revokeKey(home, id, clock)).toMatchObject({ id, revokedAt: clock.now() });
    expect(() => revokeKey(home, id, clock)).toThrow(/There is no key/);
    expect(listKeys(home)).toHaveLength(2);
  });
});

describe("the keys in force", () => {
  const ring = (log = silentLog) => openKeyRing({ home, clock, log });

  it("are those of the file, a second later at most, also when other processes change it", async () => {
    const keys = ring();
    const { key } = add("laptop", "ann", ["agent:a"]);
    expect(await keys.find(key)).toEqual({ id: "ann", scopes: ["agent:a"] });
    const other = add("phone", "bob");
    expect(await keys.find(other.key)).toBeUndefined();
    await clock.advance(1_000);
    expect(await keys.find(other.key)).toEqual({ id: "bob", scopes: ["*"] });
    revokeKey(home, "laptop", clock);
    await clock.advance(1_000);
    expect(await keys.find(key)).toBeUndefined();
    expect(await keys.find(other.key)).toBeDefined();
  });

  it("do not open to a key that is almost one", async () => {
    const { id, key } = add("laptop");
    const keys = ring();
    const last = key.endsWith("A") ? "B" : "A";
    const forged = [key.slice(0, -1) + last, key.slice(0, -1), `${key}=`, ` ${key}`, key.toUpperCase()];
    for (const token of [...forged, `troupe_${id}_${"A".repeat(43)}`, newKey().key, "", id])
      expect(await keys.find(token)).toBeUndefined();
    expect(await keys.find(key)).toBeDefined();
  });

  it("are none while the file is damaged, of a later version or open to others, and the log says so", async () => {
    const { key } = add("laptop");
    const good = readFileSync(keyFile(home), "utf8");
    const said: string[] = [];
    const log = { ...silentLog, error: (message: string) => void said.push(message) };
    const keys = ring(log);
    const after = async (change: () => void) => {
      change();
      await clock.advance(1_000);
      return keys.find(key);
    };
    expect(await after(() => undefined)).toBeDefined();
    expect(await after(() => writeFileSync(keyFile(home), "{"))).toBeUndefined();
    expect(await after(() => writeFileSync(keyFile(home), good.replace('"v": 1', '"v": 2')))).toBeUndefined();
    expect(await after(() => writeFileSync(keyFile(home), good))).toBeDefined();
    expect(await after(() => chmodSync(keyFile(home), 0o620))).toBeUndefined();
    expect(await after(() => chmodSync(keyFile(home), 0o644))).toBeDefined();
    expect(await after(() => rmSync(keyFile(home)))).toBeUndefined();
    expect(said).toHaveLength(3);
    expect(() => {
      writeFileSync(keyFile(home), "{");
      add("another");
    }).toThrow(expect.objectContaining({ code: "store.corrupt" }));
  });

  it("are read from every form of the file that was ever written", async () => {
    mkdirSync(dirname(keyFile(home)), { recursive: true });
    copyFileSync(new URL("fixtures/keys-v1.json", import.meta.url), keyFile(home));
    chmodSync(keyFile(home), 0o600);
    const keys = ring();
    expect(await keys.find(`troupe_0a1b2c3d_${"A".repeat(43)}`)).toEqual({ id: "ann", scopes: ["*"] });
    expect(listKeys(home).map(({ name }) => name)).toEqual(["laptop", "old"]);
  });
});
