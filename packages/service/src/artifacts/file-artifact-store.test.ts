import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog } from "@troupe/core";
import { artifactStoreContract } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { artifactHandler } from "./artifact-handler.ts";
import { fileArtifactStore, safeName } from "./file-artifact-store.ts";

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

async function readAll(source: AsyncIterable<Uint8Array>): Promise<string> {
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
    expect(readdirSync(dir).filter((name) => !name.endsWith(".json"))).toEqual([mine.sha256]);
    expect(await store.get(mine.id, "bob")).toBeUndefined();
    expect(await store.get(theirs.id, "bob")).toBeDefined();
  });

  it("leaves nothing behind when the source breaks", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes("half");
      throw new Error("cut");
    }
    await expect(open().put(broken(), meta)).rejects.toMatchObject({ code: "store.io" });
    expect(readdirSync(dir)).toEqual([]);
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
    [`${"a".repeat(199)}\u{1f600}`, `${"a".repeat(199)}\ufffd`],
  ])("makes %j the file name %j", (given, expected) => {
    expect(safeName(given)).toBe(expected);
  });
});

describe("artifactHandler", () => {
  it("serves a file as an attachment and passes other paths on", async () => {
    const store = open();
    const ref = await store.put(bytes("hello"), { ...meta, name: "ü b.txt" });
    const handler = artifactHandler(store, silentLog);
    const server = createServer((request, response) =>
      handler(request, response, () => response.writeHead(418).end()),
    );
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const got = await fetch(`${base}/artifacts/${ref.id}/${encodeURIComponent(ref.name)}`);
    expect(got.headers.get("content-disposition")).toContain("attachment; filename*=UTF-8''%C3%BC%20b.txt");
    expect(await got.text()).toBe("hello");
    expect((await fetch(`${base}/artifacts/${"0".repeat(32)}/x`)).status).toBe(404);
    expect((await fetch(`${base}/artifacts/..%2f..%2fetc`)).status).toBe(418);
    expect((await fetch(`${base}/other`)).status).toBe(418);
    server.closeAllConnections();
    server.close();
  });
});
