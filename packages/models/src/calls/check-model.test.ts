import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { silentLog } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { anthropicModel } from "../anthropic/anthropic-model.ts";
import { openaiCompatibleModel } from "../openai/openai-compatible-model.ts";
import { startFakeOpenai } from "../testing/index.ts";

const { signal } = new AbortController();
const calls = { clock: virtualClock(), log: silentLog };

/** A server that answers everything with this status. */
async function answering(status: number): Promise<string> {
  const server = createServer((_, res) =>
    res.writeHead(status, { "content-type": "application/json" }).end("{}"),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each([
  ["anthropic", (baseURL: string) => anthropicModel({ ...calls, apiKey: "k", baseURL })],
  ["openai-compatible", (baseURL: string) => openaiCompatibleModel({ ...calls, baseURL, model: "m" })],
])("%s: whether it could be asked", (_, modelAt) => {
  it.each([
    [401, "model.auth"],
    [503, "model.overloaded"],
  ])("%i is why not", async (status, code) => {
    await expect(modelAt(await answering(status)).check?.({ signal })).rejects.toMatchObject({ code });
  });

  it.each([200, 404, 405])("%i says nothing against it", async (status) => {
    await expect(modelAt(await answering(status)).check?.({ signal })).resolves.toBeUndefined();
  });

  it("nobody there is why not, and the caller's reason stays the caller's", async () => {
    await expect(modelAt("http://127.0.0.1:1").check?.({ signal })).rejects.toMatchObject({
      code: "model.unreachable",
    });
    const gone = AbortSignal.abort(new Error("enough"));
    await expect(modelAt("http://127.0.0.1:1").check?.({ signal: gone })).rejects.toThrow("enough");
  });
});

it("costs no call of the model", async () => {
  const server = await startFakeOpenai();
  onTestFinished(() => server.close());
  await openaiCompatibleModel({ ...calls, baseURL: server.url, model: "m" }).check?.({ signal });
  expect(server.requests).toEqual([]);
});
