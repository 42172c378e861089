import { gzipSync } from "node:zlib";

import { expect, it } from "vitest";

import { nodeFetch } from "../adapters/node/node-fetch.ts";
import { serveHttp } from "../testing/serve-http.ts";
import { bytesAtMost, readAtMost } from "./read-at-most.ts";

const pieces = (...all: readonly (readonly number[])[]): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of all) controller.enqueue(Uint8Array.from(piece));
        controller.close();
      },
    }),
  );

it("reads a body to its end, up to its bound, whatever pieces it comes in", async () => {
  expect(await readAtMost(pieces([0xc3], [0xa4, 0x62]), 3)).toBe("äb");
  expect(await readAtMost(pieces([0xc3], [0xa4, 0x62]), 2)).toBe("");
  expect(await bytesAtMost(pieces([1], [2, 3]), 3)).toEqual(Uint8Array.of(1, 2, 3));
  expect(await bytesAtMost(pieces([1], [2, 3]), 2)).toBeUndefined();
  expect(await bytesAtMost(new Response(null), 0)).toEqual(new Uint8Array());
});

it("closes the connection of what is larger, though its end be near", async () => {
  const { url, sockets, close } = await serveHttp((_request, response) => {
    response.end("0123456789");
  });
  for (let n = 1; n <= 3; n++) {
    expect(await bytesAtMost(await nodeFetch(url), 9)).toBeUndefined();
    expect(sockets.size).toBe(n);
  }
  close();
});

it("gets what is packed piece by piece as it is unpacked", async () => {
  const packed = gzipSync(Buffer.alloc(20_000_000));
  const { url, close } = await serveHttp((_request, response) => {
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(packed);
  });
  const reader = (await nodeFetch(url)).body?.getReader();
  for (let n = 0; n < 10; n++) expect((await reader?.read())?.value?.length).toBeLessThan(200_000);
  await reader?.cancel();
  close();
});
