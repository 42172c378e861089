import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { nodeFetch } from "@troupe/core/node";
import { expect, it, onTestFinished } from "vitest";

import { download } from "./download.ts";

const text = "a deck";
const announced = {
  id: "f",
  name: "deck.pptx",
  mediaType: "text/plain",
  bytes: text.length,
  sha256: createHash("sha256").update(text).digest("hex"),
};

async function serve(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === "/gone") response.writeHead(404).end();
    else if (request.url === "/more") response.end(`${text} and more`);
    else if (request.url === "/other") response.end(text.toUpperCase());
    else if (request.url === "/away") response.writeHead(302, { location: "/" }).end();
    else if (request.url === "/cut") {
      response.writeHead(200, { "content-length": 6 });
      response.write("a", () => response.destroy());
    } else response.end(text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("gives the bytes that were announced, and no others", async () => {
  const base = await serve();
  const get = (path: string) =>
    download({ ...announced, url: base + path }, nodeFetch, AbortSignal.timeout(10_000));
  expect(Buffer.from(await get("/")).toString()).toBe(text);
  for (const path of ["/more", "/other"])
    await expect(get(path)).rejects.toThrow(`"deck.pptx" from ${base}${path} is not the file`);
  for (const path of ["/gone", "/away"])
    await expect(get(path)).rejects.toMatchObject({ code: "agent.protocol" });
  await expect(get("/cut")).rejects.toMatchObject({ code: "agent.unreachable", retryable: true });
});
