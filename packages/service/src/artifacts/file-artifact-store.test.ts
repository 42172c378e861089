import { createHash } from "node:crypto";
import {
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ByteRange } from "@troupe/core";
import { artifactStoreContract, virtualClock } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { fileArtifactStore } from "./file-artifact-store.ts";
import { ENTRY_BYTES } from "./owner-quota.ts";
import { safeName } from "./safe-name.ts";

let dir = "";
let next = 0;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "troupe-artifacts-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (baseUrl = "http://127.0.0.1:1") =>
  fileArtifactStore({ dir, baseUrl: () => baseUrl, newId: () => `n${next++}` });
const bytes = (text: string) => new TextEncoder().encode(text);
const meta = { name: "a.txt", mediaType: "text/plain", owner: "" };

async function readAll(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

artifactStoreContract("files", () => {
  const own = mkdtempSync(join(tmpdir(), "troupe-artifacts-"));
  const store = fileArtifactStore({ dir: own, baseUrl: () => "", newId: () => `n${next++}` });
  return Promise.resolve({ store, close: () => Promise.resolve(rmSync(own, { recursive: true })) });
});

describe("fileArtifactStore", () => {
  it("gives back what was put, also to another process on the same folder", async () => {
    const ref = await open().put(bytes("hello"), meta);
    expect(ref).toMatchObject({ name: "a.txt", bytes: 5, mediaType: "text/plain" });
    const found = await open().get(ref.id, "");
    expect(found?.ref).toEqual(ref);
    expect(found && (await readAll(found.read()))).toBe("hello");
  });

  it("stores the same bytes once and keeps owners apart", async () => {
    const store = open();
    const mine = await store.put(bytes("same"), { ...meta, owner: "ada" });
    const theirs = await store.put(bytes("same"), { ...meta, owner: "bob" });
    expect(mine.sha256).toBe(theirs.sha256);
    expect(readdirSync(dir).filter((name) => /^[0-9a-f]{64}$/.test(name))).toEqual([mine.sha256]);
    expect(await store.get(mine.id, "bob")).toBeUndefined();
    expect(await store.get(theirs.id, "bob")).toBeDefined();
  });

  it("leaves nothing behind when the source breaks", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes("half");
      throw new Error("cut");
    }
    await expect(open().put(broken(), meta)).rejects.toMatchObject({ code: "store.io" });
    expect(readdirSync(dir)).toEqual(["format.json"]);
  });

  it("keeps files for nobody else to read", async () => {
    const inside = join(dir, "home", "artifacts");
    const store = fileArtifactStore({ dir: inside, baseUrl: () => "", newId: () => `n${next++}` });
    const ref = await store.put(bytes("x"), meta);
    const modes = [join(dir, "home"), inside, join(inside, ref.sha256), join(inside, `${ref.id}.json`)];
    expect(modes.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o600, 0o600]);
  });

  it("says that a file could not be saved without naming the folder", async () => {
    const occupied = join(dir, "occupied");
    writeFileSync(occupied, "a file");
    const store = fileArtifactStore({ dir: occupied, baseUrl: () => "", newId: () => `n${next++}` });
    const error: unknown = await store.put(bytes("x"), meta).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "store.io", message: '"a.txt" could not be saved (EEXIST).' });
    expect(error).toMatchObject({ cause: { message: expect.stringContaining(occupied) } });
  });

  it("does not read outside its folder", async () => {
    expect(await open().get("../../etc/passwd", "")).toBeUndefined();
    const ref = await open().put(bytes("x"), { ...meta, name: "../../evil\u0000.pptx" });
    expect(ref.name).toBe("evil_.pptx");
  });

  it.each([
    ["", "file"],
    ["..", "file"],
    ["C:\\x\\deck.pptx", "deck.pptx"],
    ["a<b>.pptx", "a_b_.pptx"],
    ["invoice\u202egpj.exe", "invoicegpj.exe"],
    ["a\u0085b\u2028c.txt", "a_b_c.txt"],
    [" . a.txt. ", "a.txt"],
    ["nul.txt", "_nul.txt"],
    ["nulls.txt", "nulls.txt"],
    [`${"a".repeat(199)}\u{1f600}`, `${"a".repeat(199)}\ufffd`],
  ])("makes %j the file name %j", (given, expected) => {
    expect(safeName(given)).toBe(expected);
  });
});

it("gives no owner more than they may have, also of many files that come at once", async () => {
  const maxFiles = 3;
  const store = fileArtifactStore({
    dir,
    baseUrl: () => "",
    newId: () => `n${next++}`,
    ownerBytes: maxFiles * (ENTRY_BYTES + 1_000),
  });
  const put = (name: string, owner: string) =>
    store.put(new Uint8Array(1_000).fill(name.length), { ...meta, name, owner });
  const puts = ["a", "bb", "ccc", "dddd", "eeeee"].map((name) => put(name, "ann"));
  const settled = await Promise.allSettled(puts);
  expect(settled.map(({ status }) => status).toSorted()).toEqual([
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
    "rejected",
  ]);
  const { files } = await store.list("ann", { limit: 9 });
  expect(files).toHaveLength(maxFiles);
  expect(readdirSync(dir).filter((name) => name.endsWith(".part"))).toEqual([]);
  await expect(put("more", "ann")).rejects.toMatchObject({ code: "store.full" });
  await put("more", "bob");
  await store.delete(files[0]?.ref.id ?? "", "ann");
  await put("more", "ann");
});

describe("files on disk", () => {
  const clock = virtualClock();
  const at = (folder: string) =>
    fileArtifactStore({ dir: folder, baseUrl: () => "", newId: () => `n${next++}`, clock });
  const blobs = () => readdirSync(dir).filter((name) => /^[0-9a-f]{64}$/.test(name));

  it("are not given out when they were damaged: cut short, or changed in any byte", async () => {
    const content = new Uint8Array(600_000).fill(7);
    const store = at(dir);
    const ref = await store.put(content, meta);
    const path = join(dir, ref.sha256);
    const given = async (range?: ByteRange): Promise<readonly [number, unknown]> => {
      let count = 0;
      try {
        for await (const chunk of (await store.find(ref.id))?.read(range) ?? []) count += chunk.length;
        return [count, undefined];
      } catch (error) {
        return [count, error];
      }
    };
    const damage = { code: "store.corrupt", message: expect.stringContaining("a.txt") as unknown };
    const whole = [content.length, undefined];
    expect(await given()).toEqual(whole);
    const changed = Buffer.from(content);
    changed[0] = 8;
    writeFileSync(path, changed);
    const [came, error] = await given();
    expect(came).toBeLessThan(content.length);
    expect(error).toMatchObject(damage);
    // A range that is all of it is no way around.
    expect(await given({ start: 0, end: content.length })).toEqual([came, error]);
    // Of a part the size alone is known.
    expect(await given({ start: 0, end: 9 })).toEqual([9, undefined]);
    truncateSync(path, 599_999);
    expect(await given()).toMatchObject([0, damage]);
    await expect(store.find(ref.id).then((file) => file?.read({ start: 0, end: 9 }))).rejects.toMatchObject({
      code: "store.corrupt",
    });
    await store.put(content, meta);
    expect(await given()).toEqual(whole);
  });

  it("are swept of what a killed process left, and of nothing that is being written", async () => {
    const store = at(dir);
    const [kept, lost] = [await store.put(bytes("kept"), meta), await store.put(bytes("lost"), meta)];
    const old = join(dir, ".killed.part");
    writeFileSync(old, "half");
    utimesSync(old, 0, 0);
    writeFileSync(join(dir, ".writing.part"), "half");
    // Killed while it removed the bytes of another file, which somebody had put again meanwhile.
    renameSync(join(dir, lost.sha256), join(dir, `.${lost.sha256}.aside`));
    writeFileSync(join(dir, `.${"0".repeat(64)}.aside`), "nobody's");
    const now = fileArtifactStore({ dir, baseUrl: () => "", newId: () => `n${next++}` });
    await now.put(bytes("new"), meta);
    expect(readdirSync(dir).filter((name) => name.startsWith("."))).toEqual([".writing.part"]);
    for (const [{ id }, text] of [
      [kept, "kept"],
      [lost, "lost"],
    ] as const)
      expect(await readAll((await now.find(id))?.read() ?? [])).toBe(text);
  });

  it("whose entry cannot be read are an error by themselves, and hide no others", async () => {
    const store = at(dir);
    const [lost, kept] = [await store.put(bytes("lost"), meta), await store.put(bytes("kept"), meta)];
    writeFileSync(join(dir, `${lost.id}.json`), '{"id":');
    await expect(store.find(lost.id)).rejects.toMatchObject({ code: "store.corrupt" });
    expect((await store.list("", { limit: 9 })).files.map(({ ref }) => ref.id)).toEqual([kept.id]);
    const again = await store.put(bytes("lost"), meta);
    expect(await readAll((await store.find(again.id))?.read() ?? [])).toBe("lost");
  });

  it("of the first form are read, listed and deleted like the others", async () => {
    const sha256 = createHash("sha256").update("old").digest("hex");
    const id = "0123456789abcdef0123456789abcdef";
    writeFileSync(join(dir, sha256), "old");
    const entry = { id, name: "old.txt", mediaType: "text/plain", bytes: 3, sha256, owner: "" };
    writeFileSync(join(dir, `${id}.json`), JSON.stringify(entry));
    const store = at(dir);
    expect(await readAll((await store.get(id, ""))?.read() ?? [])).toBe("old");
    expect((await store.list("", { limit: 9 })).files.map(({ ref }) => ref.name)).toEqual(["old.txt"]);
    const again = await store.put(bytes("old"), { ...meta, owner: "ann" });
    expect(await store.delete(id, "")).toBe(true);
    expect(blobs()).toEqual([sha256]);
    await store.delete(again.id, "ann");
    expect(blobs()).toEqual([]);
  });

  it("go by age and by size when somebody says so, the oldest first, and what has no file goes too", async () => {
    const store = at(dir);
    const put = (text: string) => store.put(bytes(text), { ...meta, name: `${text}.txt` });
    const first = await put("first");
    await clock.advance(10_000);
    for (const text of ["second", "third"]) await put(text);
    expect(await store.usage("")).toBe(16);
    const told = await store.prune({ olderThanMs: 5_000, dryRun: true });
    expect(told).toMatchObject({ removed: [{ id: first.id }], kept: 2, bytes: 11 });
    expect(blobs()).toHaveLength(3);
    await store.prune({ olderThanMs: 5_000 });
    expect(blobs()).toHaveLength(2);
    const orphan = "a".repeat(64);
    writeFileSync(join(dir, orphan), "nobody's");
    utimesSync(join(dir, orphan), 0, 0);
    await clock.advance(Date.now());
    expect(await store.prune({ maxBytes: 6 })).toMatchObject({ kept: 1, bytes: 5 });
    expect((await store.list("", { limit: 9 })).files.map(({ ref }) => ref.name)).toEqual(["third.txt"]);
    expect(blobs()).toHaveLength(1);
  });

  it("are whole or not there while several put and delete the same bytes", async () => {
    const stores = [at(dir), at(dir), at(dir)];
    const work = stores.map(async (store, at_) => {
      for (let round = 0; round < 25; round++) {
        const owner = `owner ${at_}`;
        const ref = await store.put(bytes("the same"), { ...meta, owner });
        expect(await store.delete(ref.id, owner)).toBe(true);
        const kept = await store.put(bytes("the same"), { ...meta, owner });
        expect(kept.id).toBe(ref.id);
      }
    });
    await Promise.all(work);
    for (const [at_, store] of stores.entries()) {
      const { files } = await store.list(`owner ${at_}`, { limit: 9 });
      expect(files).toHaveLength(1);
      expect(await readAll(files[0]?.read() ?? [])).toBe("the same");
    }
    expect(readdirSync(dir).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("are read at the reader's pace, and closed when it leaves", async () => {
    const store = at(dir);
    let made = 0;
    async function* large(): AsyncGenerator<Uint8Array> {
      for (; made < 512; made++) yield new Uint8Array(64 * 1024).fill(made);
    }
    const ref = await store.put(large(), meta);
    expect(ref.bytes).toBe(32 * 1024 * 1024);
    const before = process.memoryUsage().arrayBuffers;
    const reader = (await store.find(ref.id))?.read()[Symbol.asyncIterator]();
    await reader?.next();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
    await reader?.return?.();
    let size = 0;
    for await (const chunk of (await store.find(ref.id))?.read() ?? []) size += chunk.length;
    expect(size).toBe(ref.bytes);
  });
});
