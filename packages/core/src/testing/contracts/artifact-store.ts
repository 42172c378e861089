import { createHash } from "node:crypto";

import { describe, expect, it, onTestFinished } from "vitest";

import type { ArtifactStore } from "../../ports/artifact-store.ts";

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

    it("knows nothing of an id it never gave, whatever it looks like", async () => {
      const store = await open();
      for (const id of ["nothing", "", "../../etc/passwd", "a/b", "\0"]) {
        expect(await store.get(id, "ann")).toBeUndefined();
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

async function read(found: Awaited<ReturnType<ArtifactStore["get"]>>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  if (found !== undefined) for await (const chunk of found.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* inPieces(all: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.length; at += 2) yield all.subarray(at, at + 2);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield bytes;
  throw new Error("the connection was reset");
}
