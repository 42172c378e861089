import { createHash } from "node:crypto";

import { describe, expect, it, onTestFinished } from "vitest";

import type { ArtifactStore, ByteRange, StoredFile } from "../../ports/artifact-store.ts";

const meta = { name: "a.txt", mediaType: "text/plain", owner: "ann" };
const bytes = new TextEncoder().encode("Norrvik");

/** What every `ArtifactStore` keeps. `make` gives an empty one. */
export function artifactStoreContract(
  name: string,
  make: () => Promise<{ readonly store: ArtifactStore; close?(): Promise<void> }>,
): void {
  async function open(): Promise<ArtifactStore> {
    const made = await make();
    onTestFinished(async () => made.close?.());
    return made.store;
  }

  describe(`ArtifactStore contract: ${name}`, () => {
    it("gives back what was put, with its size and hash", async () => {
      const store = await open();
      const ref = await store.put(bytes, meta);
      expect(ref).toMatchObject({ name: "a.txt", mediaType: "text/plain", bytes: bytes.length });
      expect(ref.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
      const found = await store.get(ref.id, "ann");
      expect(found?.ref).toEqual(ref);
      expect(await read(found)).toEqual(Buffer.from(bytes));
    });

    it("takes bytes as they come", async () => {
      const store = await open();
      const ref = await store.put(inPieces(bytes), meta);
      expect(ref.bytes).toBe(bytes.length);
      expect(await read(await store.get(ref.id, "ann"))).toEqual(Buffer.from(bytes));
    });

    it("takes an empty file", async () => {
      const store = await open();
      const ref = await store.put(new Uint8Array(), meta);
      expect(ref.bytes).toBe(0);
      expect(await read(await store.get(ref.id, "ann"))).toHaveLength(0);
    });

    it("keeps the same bytes under different names apart", async () => {
      const store = await open();
      const first = await store.put(bytes, meta);
      const second = await store.put(bytes, { ...meta, name: "b.txt" });
      expect(second.sha256).toBe(first.sha256);
      expect((await store.get(first.id, "ann"))?.ref.name).toBe("a.txt");
      expect((await store.get(second.id, "ann"))?.ref.name).toBe("b.txt");
    });

    it("shows a file to its owner only", async () => {
      const store = await open();
      const ref = await store.put(bytes, meta);
      await store.put(bytes, { ...meta, owner: "bob" });
      expect(await store.get(ref.id, "bob")).toBeUndefined();
      expect(await store.get(ref.id, "")).toBeUndefined();
    });

    it("finds a file without its owner, for those who may have it, and says whose it is", async () => {
      const store = await open();
      const ref = await store.put(bytes, meta);
      const found = await store.find(ref.id);
      expect(found).toMatchObject({ ref, owner: "ann" });
      expect(await read(found)).toEqual(Buffer.from(bytes));
    });

    it("reads a part of a file", async () => {
      const store = await open();
      const ref = await store.put(bytes, meta);
      const found = await store.get(ref.id, "ann");
      for (const [start, end] of [
        [0, 4],
        [4, 7],
        [6, 7],
        [0, 7],
      ] as const) {
        expect(await read(found, { start, end })).toEqual(Buffer.from(bytes.subarray(start, end)));
      }
    });

    it("lists the files of an owner, newest first and page by page", async () => {
      const store = await open();
      const put = async (name: string, owner = "ann") =>
        (await store.put(bytes, { ...meta, name, owner })).id;
      const ids = [await put("1"), await put("2"), await put("3")];
      await put("1", "bob");
      const first = await store.list("ann", { limit: 2 });
      expect(first.files).toHaveLength(2);
      const second = await store.list("ann", { limit: 2, after: first.next });
      expect(second).toMatchObject({ next: "" });
      const listed = [...first.files, ...second.files];
      expect(listed.map(({ ref }) => ref.id).toSorted()).toEqual(ids.toSorted());
      const times = listed.map(({ storedAt }) => storedAt);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(await store.list("nobody", { limit: 2 })).toEqual({ files: [], next: "" });
    });

    it("lets an owner delete a file, and leaves the same bytes of others", async () => {
      const store = await open();
      const mine = await store.put(bytes, meta);
      const named = await store.put(bytes, { ...meta, name: "b.txt" });
      const theirs = await store.put(bytes, { ...meta, owner: "bob" });
      expect(await store.delete(mine.id, "bob")).toBe(false);
      expect(await store.delete(mine.id, "ann")).toBe(true);
      expect(await store.delete(mine.id, "ann")).toBe(false);
      expect(await store.find(mine.id)).toBeUndefined();
      expect((await store.list("ann", { limit: 9 })).files.map(({ ref }) => ref.id)).toEqual([named.id]);
      expect(await read(await store.get(theirs.id, "bob"))).toEqual(Buffer.from(bytes));
      expect(await store.delete(named.id, "ann")).toBe(true);
      expect(await store.delete(theirs.id, "bob")).toBe(true);
      const again = await store.put(bytes, meta);
      expect(await read(await store.get(again.id, "ann"))).toEqual(Buffer.from(bytes));
    });

    it("takes no more than it was told, and only the bytes that were announced", async () => {
      const store = await open();
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const exact = await store.put(inPieces(bytes), meta, { sha256, maxBytes: bytes.length });
      expect(exact.sha256).toBe(sha256);
      let taken = 0;
      const endless = async function* (): AsyncGenerator<Uint8Array> {
        for (; taken < 1_000; taken++) yield bytes;
      };
      const bounded = store.put(endless(), { ...meta, name: "b" }, { maxBytes: 10 });
      await expect(bounded).rejects.toMatchObject({ code: "input.too-large" });
      expect(taken).toBeLessThan(100);
      const other = store.put(inPieces(bytes), { ...meta, name: "c" }, { sha256: "0".repeat(64) });
      await expect(other).rejects.toMatchObject({ code: "input.invalid" });
      expect((await store.list("ann", { limit: 9 })).files).toHaveLength(1);
    });

    it("knows nothing of an id it never gave, whatever it looks like", async () => {
      const store = await open();
      for (const id of ["nothing", "", "../../etc/passwd", "a/b", "\0"]) {
        expect(await store.get(id, "ann")).toBeUndefined();
        expect(await store.find(id)).toBeUndefined();
        expect(await store.delete(id, "ann")).toBe(false);
      }
    });

    it("rejects when the bytes end in an error", async () => {
      const store = await open();
      await expect(store.put(broken(), meta)).rejects.toBeInstanceOf(Error);
      const ref = await store.put(bytes, meta);
      expect(await read(await store.get(ref.id, "ann"))).toEqual(Buffer.from(bytes));
    });
  });
}

async function read(found: StoredFile | undefined, range?: ByteRange): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  if (found !== undefined) for await (const chunk of found.read(range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* inPieces(all: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.length; at += 2) yield all.subarray(at, at + 2);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield bytes;
  throw new Error("the connection was reset");
}
