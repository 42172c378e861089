import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";

import { silentLog, type ArtifactStore } from "@troupe/core";
import { memoryArtifactStore, virtualClock } from "@troupe/core/testing";
import type { ArtifactRef } from "@troupe/stream";
import { describe, expect, it, onTestFinished } from "vitest";

import { artifactLinks } from "../artifact-links.ts";
import { artifactHandler, linkedArtifacts, type ArtifactHandlerOptions } from "./artifact-handler.ts";

const text = "Norrvik grew by 12 %.";
const bytes = new TextEncoder().encode(text);
const meta = { name: "ü b.txt", mediaType: "text/plain", owner: "ann" };
const clock = virtualClock();
const links = artifactLinks({ keys: () => Promise.resolve([new Uint8Array(32)]), clock });
const identify = ({ headers }: IncomingMessage): string | undefined => headers.authorization;

async function serve(
  store: ArtifactStore,
  options: Partial<ArtifactHandlerOptions> = { identify },
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const linked = linkedArtifacts(store, { links, log: silentLog });
  const handle = artifactHandler(store, { log: silentLog, clock, ...options });
  const server = createServer((request, response) =>
    linked(request, response, () => handle(request, response, () => response.writeHead(418).end())),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

const as = (who: string, headers: Record<string, string> = {}): RequestInit => ({
  headers: { authorization: who, ...headers },
});
const pathOf = ({ id, name }: ArtifactRef): string => `/artifacts/${id}/${encodeURIComponent(name)}`;
const newId = (): string => randomUUID().replaceAll("-", "");
const newStore = (): ArtifactStore => memoryArtifactStore({ newId });

describe("artifactHandler", () => {
  it("hands a file over to its owner, to be kept and never shown", async () => {
    const store = newStore();
    const ref = await store.put(bytes, meta);
    const get = await serve(store);
    const got = await get(pathOf(ref), as("ann"));
    expect(await got.text()).toBe(text);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      "content-type": "text/plain",
      "content-length": String(bytes.length),
      "content-disposition": `attachment; filename="_ b.txt"; filename*=UTF-8''%C3%BC%20b.txt`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
      etag: `"${ref.sha256}"`,
      "last-modified": expect.stringContaining("GMT") as unknown,
    });
    const head = await get(pathOf(ref), { ...as("ann"), method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual([String(bytes.length), ""]);
  });

  it("says of another's file what it says of none, and asks who has no name", async () => {
    const store = newStore();
    const ref = await store.put(bytes, meta);
    const get = await serve(store);
    const none = pathOf({ ...ref, id: "0".repeat(32) });
    for (const method of ["GET", "HEAD", "DELETE"]) {
      const [theirs, nobodys] = [
        await get(pathOf(ref), { ...as("bob"), method }),
        await get(none, { ...as("bob"), method }),
      ];
      expect(theirs.status).toBe(404);
      expect(await theirs.text()).toBe(await nobodys.text());
      expect((await get(pathOf(ref), { method })).status).toBe(401);
    }
    expect(await (await get("/artifacts", as("bob"))).json()).toEqual({ files: [], next: "" });
  });

  it("is everybody's of this machine where nobody is told apart", async () => {
    const store = newStore();
    const ref = await store.put(bytes, meta);
    const get = await serve(store, {});
    expect((await get(pathOf(ref))).status).toBe(200);
  });

  it.each([
    ["bytes=0-6", 206, "Norrvik", "bytes 0-6/21"],
    ["bytes=-5", 206, "12 %.", "bytes 16-20/21"],
    ["bytes=16-", 206, "12 %.", "bytes 16-20/21"],
    ["bytes=0-0,2-3", 200, text, null],
    ["bytes=21-", 416, "", "bytes */21"],
    ["bytes=x", 416, "", "bytes */21"],
  ])("answers %s with %i", async (range, status, body, contentRange) => {
    const store = newStore();
    const ref = await store.put(bytes, meta);
    const get = await serve(store);
    const got = await get(pathOf(ref), as("ann", { range }));
    expect([got.status, await got.text(), got.headers.get("content-range")]).toEqual([
      status,
      body,
      contentRange,
    ]);
  });

  it("sends what is unchanged not again, and goes on only with the same file", async () => {
    const store = newStore();
    const ref = await store.put(bytes, meta);
    const get = await serve(store);
    const etag = `"${ref.sha256}"`;
    const known = await get(pathOf(ref), as("ann", { "if-none-match": etag, "cache-control": "max-age=0" }));
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const range = "bytes=0-6";
    expect((await get(pathOf(ref), as("ann", { range, "if-range": etag }))).status).toBe(206);
    expect((await get(pathOf(ref), as("ann", { range, "if-range": '"other"' }))).status).toBe(200);
  });

  it("lets a signed link read its file, without a name, for a while", async () => {
    const store = newStore();
    const [ref, other] = [await store.put(bytes, meta), await store.put(bytes, { ...meta, name: "c.txt" })];
    const get = await serve(store);
    const query = await links.sign(ref);
    expect(await (await get(`${pathOf(ref)}?${query}`)).text()).toBe(text);
    expect((await get(`${pathOf(ref)}?${query}`, { headers: { range: "bytes=0-6" } })).status).toBe(206);
    expect((await get(`${pathOf(other)}?${query}`)).status).toBe(403);
    expect((await get(`${pathOf({ ...ref, id: "0".repeat(32) })}?${query}`)).status).toBe(403);
    expect((await get(`${pathOf(ref)}?${query}`, { method: "DELETE" })).status).toBe(401);
    await clock.advance(26 * 60 * 60_000);
    const late = await get(`${pathOf(ref)}?${query}`);
    expect([late.status, await late.json()]).toEqual([
      403,
      { error: expect.stringMatching(/or no more/) as unknown },
    ]);
  });

  it("takes a file in, tells where it is, lists it and deletes it", async () => {
    const store = newStore();
    const get = await serve(store);
    const digest = createHash("sha256").update(bytes).digest("base64");
    const put = await get("/artifacts/q3%20sales.csv", {
      method: "PUT",
      body: bytes,
      ...as("ann", { "content-type": "text/csv", "repr-digest": `sha-256=:${digest}:` }),
    });
    expect(put.status).toBe(201);
    const ref = (await put.json()) as ArtifactRef;
    expect(ref).toMatchObject({ name: "q3 sales.csv", mediaType: "text/csv", bytes: bytes.length });
    expect(put.headers.get("location")).toBe(ref.url);
    expect(await (await get("/artifacts", as("ann"))).json()).toMatchObject({
      files: [{ id: ref.id }],
      next: "",
    });
    expect((await get(`/artifacts/${ref.id}`, { ...as("bob"), method: "DELETE" })).status).toBe(404);
    expect((await get(`/artifacts/${ref.id}`, { ...as("ann"), method: "DELETE" })).status).toBe(204);
    expect((await get(pathOf(ref), as("ann"))).status).toBe(404);
  });

  it.each([
    ["is larger than any may be", { "content-type": "text/csv" }, 413],
    ["is not what its digest says", { "content-digest": `sha-256=:${"A".repeat(43)}=:` }, 400],
    ["has a digest that is none", { "repr-digest": "sha-256=:abc:" }, 400],
  ])("refuses a file that %s, and keeps nothing", async (_why, headers, status) => {
    const store = newStore();
    const get = await serve(store, { identify, maxBytes: status === 413 ? 20 : 100 });
    const put = (body: NonNullable<RequestInit["body"]>) =>
      get("/artifacts/a", { method: "PUT", body, duplex: "half", ...as("ann", headers) });
    expect((await put(bytes)).status).toBe(status);
    expect((await put(new Blob([bytes]).stream())).status).toBe(status);
    expect((await store.list("ann", { limit: 9 })).files).toEqual([]);
  });

  it("tells who is still sending that it is too much", async () => {
    const store = newStore();
    const get = await serve(store, { maxBytes: 100_000 });
    const { port } = new URL((await get("/other")).url);
    const socket = connect(Number(port), "127.0.0.1");
    let said = "";
    socket.on("data", (chunk: Buffer) => (said += chunk.toString("latin1"))).on("error", () => undefined);
    const closed = once(socket, "close");
    socket.write("PUT /artifacts/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    socket.write(chunk);
    socket.write(chunk);
    await once(socket, "data");
    socket.end();
    await closed;
    expect(said).toMatch(/^HTTP\/1\.1 413 [\s\S]*larger than the 100000 bytes/);
    expect((await store.list("", { limit: 9 })).files).toEqual([]);
  });

  it("takes no more than an owner may have", async () => {
    const get = await serve(newStore(), {
      identify,
      ownerBytes: 30,
      usage: (owner) => Promise.resolve(owner === "ann" ? 30 : 0),
    });
    const put = (who: string) => get("/artifacts/a", { method: "PUT", body: bytes, ...as(who) });
    expect(await (await put("ann")).json()).toEqual({
      error: expect.stringMatching(/Delete some/) as unknown,
    });
    expect((await put("bob")).status).toBe(201);
  });

  it("is not posted to, and says what it knows", async () => {
    const get = await serve(newStore(), {});
    const posted = await get("/artifacts/a", { method: "POST", body: "x" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "PUT"]);
    expect((await get("/artifacts?limit=1000")).status).toBe(400);
    expect((await get("/artifacts/..%2f..%2fetc/x")).status).toBe(418);
    expect((await get("/other")).status).toBe(418);
  });

  it("cuts off who sends too slowly, and keeps nothing of it", async () => {
    const store = newStore();
    const get = await serve(store, {});
    const { port } = new URL((await get("/other")).url);
    const socket = connect(Number(port), "127.0.0.1").resume();
    const closed = once(socket, "close");
    socket.on("error", () => undefined);
    const begun = Promise.withResolvers<void>();
    socket.write("PUT /artifacts/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc", () =>
      begun.resolve(),
    );
    await begun.promise;
    // Time goes on until the server has begun to wait, and then past its window.
    while (!socket.closed) {
      await clock.advance(60_000);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    await closed;
    expect((await store.list("", { limit: 9 })).files).toEqual([]);
  });

  it("cuts the connection where a file turns out to be damaged, and says no more than that", async () => {
    const store = newStore();
    const ref = await store.put(bytes, meta);
    const broken: ArtifactStore = {
      ...store,
      async get(id, owner) {
        const file = await store.get(id, owner);
        return (
          file && {
            ...file,
            async *read() {
              yield bytes.subarray(0, 4);
              throw new Error("/secret/folder is damaged");
            },
          }
        );
      },
    };
    const get = await serve(broken);
    await expect(get(pathOf(ref), as("ann")).then((got) => got.text())).rejects.toThrow(
      /terminated|fetch failed/,
    );
    const failing = await serve({ ...store, get: () => Promise.reject(new Error("/secret/folder: EIO")) });
    const got = await failing(pathOf(ref), as("ann"));
    expect([got.status, await got.json()]).toEqual([500, { error: "The file could not be handled." }]);
  });
});
