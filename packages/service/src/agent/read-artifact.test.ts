import { memoryArtifactStore, serveHttp } from "@troupe/core/testing";
import type { ArtifactRef } from "@troupe/stream";
import { expect, it, onTestFinished } from "vitest";

import { artifactReader, imageReader } from "./read-artifact.ts";

const text = "Tides rise. – Flut".repeat(1_000);
const { signal } = new AbortController();

async function kept(): Promise<{
  readonly ref: ArtifactRef;
  readonly files: ReturnType<typeof memoryArtifactStore>;
}> {
  const files = memoryArtifactStore();
  const ref = await files.put(new TextEncoder().encode(text), {
    name: "a.md",
    mediaType: "text/markdown",
    owner: "ann",
  });
  return { ref, files };
}

it("reads from the agent's own store, the owner's files alone", async () => {
  const { ref, files } = await kept();
  const read = artifactReader(files, { allowedOrigins: [] });
  expect(await read(ref, { owner: "ann", signal })).toBe(text);
  await expect(read(ref, { owner: "bob", signal })).rejects.toThrow("none of TROUPE_ALLOWED_ORIGINS");
  const other = { ...ref, sha256: "0".repeat(64) };
  await expect(read(other, { owner: "ann", signal })).rejects.toThrow("none of TROUPE_ALLOWED_ORIGINS");
});

it("reads from an address that files may come from, and takes nothing for the file that is not", async () => {
  const { ref } = await kept();
  let body = text;
  let status = 200;
  const asked: string[] = [];
  const server = await serveHttp((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end(body);
  });
  onTestFinished(() => server.close());
  const read = artifactReader(memoryArtifactStore(), { allowedOrigins: [new URL(server.url).origin] });
  const file = { ...ref, url: `${server.url}/a` };
  const ask = (of: ArtifactRef = file) => read(of, { owner: "ann", signal });
  expect(await ask()).toBe(text);
  body = text.replace("T", "t");
  await expect(ask()).rejects.toThrow("another file");
  body = `${text}more`;
  await expect(ask()).rejects.toThrow("another file");
  status = 404;
  await expect(ask()).rejects.toThrow("HTTP 404");
  status = 302;
  await expect(ask()).rejects.toThrow("HTTP 302");
  await expect(ask({ ...file, bytes: 17 * 1024 * 1024 })).rejects.toThrow("more than 16 MiB");
  expect(asked).not.toContain("/elsewhere");
});

it("reads images from the agent's own store, or once from an address that files may come from", async () => {
  const { ref, files } = await kept();
  const bytes = new TextEncoder().encode(text);
  const options = { owner: "ann", signal, maxBytes: 100_000 };
  const here = imageReader(files, { allowedOrigins: [] });
  expect(Buffer.from(await here(ref, options)).equals(bytes)).toBe(true);
  await expect(here(ref, { ...options, owner: "bob" })).rejects.toThrow("none of TROUPE_ALLOWED_ORIGINS");
  await expect(here(ref, { ...options, maxBytes: 10 })).rejects.toThrow("at most 10 are taken");

  let asked = 0;
  const server = await serveHttp((_request, response) => {
    asked++;
    response.end(text);
  });
  onTestFinished(() => server.close());
  const own = memoryArtifactStore();
  const read = imageReader(own, { allowedOrigins: [new URL(server.url).origin] });
  const file = { ...ref, url: `${server.url}/a` };
  expect(Buffer.from(await read(file, options)).equals(bytes)).toBe(true);
  expect(Buffer.from(await read(file, options)).equals(bytes)).toBe(true);
  expect(asked).toBe(1);
  // What was fetched for one user is no file of another.
  await read(file, { ...options, owner: "bob" });
  expect(asked).toBe(2);
  await expect(read({ ...file, sha256: "0".repeat(64) }, options)).rejects.toThrow("another file");
  await expect(read({ ...file, sha256: "1".repeat(64), bytes: 200_000 }, options)).rejects.toThrow(
    "at most 100000 are taken",
  );
});
