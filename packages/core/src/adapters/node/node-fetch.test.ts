import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

import { afterEach, describe, expect, it } from "vitest";

import { serveHttp } from "../../testing/serve-http.ts";
import { nodeFetch } from "./node-fetch.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(handle: Parameters<typeof serveHttp>[0]) {
  const { url, sockets, close } = await serveHttp(handle);
  closing.push(close);
  return { url: `${url}/`, sockets };
}

const STREAM = { "Content-Type": "text/event-stream" };

/** A server whose stream the test writes; `read` reads the next piece of it. */
async function openStream(signal?: AbortSignal, headers: Record<string, string> = STREAM) {
  const opened = Promise.withResolvers<ServerResponse>();
  const { url } = await serve((_request, response) => {
    response.writeHead(200, headers).flushHeaders();
    opened.resolve(response);
  });
  const response = await nodeFetch(url, signal === undefined ? {} : { signal });
  const reader = response.body?.getReader();
  const read = async () => new TextDecoder().decode((await reader?.read())?.value);
  return { writer: await opened.promise, response, reader, read };
}

describe("nodeFetch", () => {
  it("sends method, headers and body, and gives status, headers and text", async () => {
    const { url } = await serve(async (request, response) => {
      const parts = await request.setEncoding("utf8").toArray();
      const said = `${request.method} ${String(request.headers["x-one"])} ${parts.join("")}`;
      response.writeHead(418, "Teapot", { "X-Two": "two" }).end(said);
    });
    const response = await nodeFetch(url, { method: "POST", headers: { "X-One": "1" }, body: "hé" });
    expect([response.status, response.statusText, response.headers.get("x-two")]).toEqual([
      418,
      "Teapot",
      "two",
    ]);
    expect(await response.text()).toBe("POST 1 hé");
  });

  it("uses a connection again", async () => {
    const { url, sockets } = await serve((_request, response) => void response.end("{}"));
    for (let n = 0; n < 3; n++) await (await nodeFetch(url)).text();
    expect(sockets.size).toBe(1);
  });

  it("hands on each piece of an event stream as it comes, and its end", async () => {
    const { writer, response, reader, read } = await openStream();
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    for (const piece of ["data: a\n\n", "data: b\n\n"]) {
      writer.write(piece);
      expect(await read()).toBe(piece);
    }
    writer.end();
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
  });

  it("decodes what is compressed though nobody asked", async () => {
    const zipped = { ...STREAM, "Content-Encoding": "gzip" };
    const { writer, read } = await openStream(undefined, zipped);
    writer.end(gzipSync("data: a\n\n"));
    expect(await read()).toBe("data: a\n\n");
  });

  it("fails as fetch does where nobody listens, and where a stream breaks off", async () => {
    const refused = await nodeFetch("http://127.0.0.1:1/").catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: "TypeError", message: "fetch failed" });
    const { writer, reader, read } = await openStream();
    writer.write("data: a\n\n");
    await read();
    writer.destroy();
    const broken = await reader?.read().catch((error: unknown) => error);
    expect(broken).toMatchObject({ name: "TypeError", message: "terminated" });
  });

  it("aborts with the caller's reason: before, while it waits, and in the middle of a stream", async () => {
    const reason = new Error("enough");
    await expect(nodeFetch("http://127.0.0.1:1/", { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const arrived = Promise.withResolvers<void>();
    const { url } = await serve(() => arrived.resolve());
    const waiting = new AbortController();
    const answer = nodeFetch(url, { signal: waiting.signal });
    await arrived.promise;
    waiting.abort(reason);
    await expect(answer).rejects.toBe(reason);
    const streaming = new AbortController();
    const { reader } = await openStream(streaming.signal);
    const next = reader?.read();
    streaming.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  it.each(["text/event-stream", "application/json"])(
    "survives an abort at the moment at which an answer is whole: %s",
    async (type) => {
      const gone = Promise.withResolvers<unknown>();
      const { url } = await serve((request, response) => {
        request.socket.once("close", gone.resolve);
        response.writeHead(200, { "Content-Type": type }).end("{}");
      });
      const leaving = new AbortController();
      const response = await nodeFetch(url, { signal: leaving.signal });
      await response.body?.getReader().read();
      leaving.abort();
      await expect(gone.promise).resolves.toBe(false);
    },
  );

  it("lets go of the connection when its reader leaves", async () => {
    const { writer, reader } = await openStream();
    const gone = once(writer, "close");
    await reader?.cancel();
    await expect(gone).resolves.toBeDefined();
  });

  it("follows a redirect", async () => {
    const { url } = await serve((request, response) => {
      if (request.url === "/there") response.end("there");
      else response.writeHead(307, { Location: "/there" }).end();
    });
    expect(await (await nodeFetch(url, { method: "POST", body: "x" })).text()).toBe("there");
    expect((await nodeFetch(url, { redirect: "manual" })).status).toBe(307);
    await expect(nodeFetch(url, { redirect: "error" })).rejects.toThrow(TypeError);
  });

  it("takes what fetch takes to send, and says the type of it", async () => {
    const { url } = await serve(async (request, response) => {
      const parts = await request.setEncoding("utf8").toArray();
      response.end(`${request.method} ${request.headers["content-type"]} ${parts.join("")}`);
    });
    const said = async (...args: Parameters<typeof nodeFetch>) => (await nodeFetch(...args)).text();
    const form = new URLSearchParams({ a: "1" });
    expect(await said(url, { method: "post", body: form })).toBe(
      "POST application/x-www-form-urlencoded;charset=UTF-8 a=1",
    );
    expect(await said(url, { method: "PUT", body: Buffer.from("b") })).toBe("PUT undefined b");
    const headers = { "Content-Type": "text/x-own" };
    expect(await said(new Request(url, { method: "POST", body: "c", headers }))).toBe("POST text/x-own c");
  });

  it("tells another origin nothing that may be secret, and sends no second body after a 303", async () => {
    const told = Promise.withResolvers<unknown[]>();
    const other = await serve((request, response) => {
      const { authorization, cookie, "x-key": key, accept, "content-type": type } = request.headers;
      told.resolve([request.method, authorization, cookie, key, accept, type]);
      response.end("other");
    });
    const { url } = await serve((_request, response) => {
      response.writeHead(303, { Location: `${other.url}x` }).end();
    });
    const headers = { Authorization: "Bearer s", Cookie: "s", "X-Key": "s", "Content-Type": "text/plain" };
    const response = await nodeFetch(url, { method: "POST", headers, body: "x" });
    expect([response.redirected, response.url]).toEqual([true, `${other.url}x`]);
    expect(await told.promise).toEqual(["GET", undefined, undefined, undefined, "*/*", undefined]);
  });

  it("ends where redirects never do, and where they leave http", async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(302, { Location: request.url === "/" ? "/" : "file:///etc/passwd" }).end();
    });
    await expect(nodeFetch(url)).rejects.toMatchObject({ code: "network.redirects" });
    await expect(nodeFetch(`${url}file`)).rejects.toMatchObject({
      code: "network.refused",
      message: expect.stringContaining('the scheme "file:"') as string,
    });
  });

  it("fails as fetch does where the answer has a status that there is not", async () => {
    const { url } = await serve((_request, response) => response.writeHead(999).end());
    await expect(nodeFetch(url)).rejects.toMatchObject({ name: "TypeError", message: "fetch failed" });
  });
});
