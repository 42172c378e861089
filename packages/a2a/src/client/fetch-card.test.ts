import { expect, it } from "vitest";

import { fetchCard } from "./fetch-card.ts";

const options = { headers: {}, signal: new AbortController().signal };
const at = "http://127.0.0.1:1";

it.each([
  ["no JSON", "<html>"],
  ["no card", '{"name":7}'],
])("refuses what is %s", async (_, body) => {
  const fetchImpl = (): Promise<Response> => Promise.resolve(new Response(body));
  await expect(fetchCard(at, { ...options, fetchImpl })).rejects.toMatchObject({
    code: "agent.protocol",
    message: `What stands at ${at}/.well-known/agent-card.json is not an agent card.`,
  });
});

it("does not read on what is too large for a card", async () => {
  let chunks = 0;
  let canceled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      chunks++;
      controller.enqueue(new Uint8Array(100_000).fill(32));
    },
    cancel: () => {
      canceled = true;
    },
  });
  const fetchImpl = (): Promise<Response> => Promise.resolve(new Response(endless));
  await expect(fetchCard(at, { ...options, fetchImpl })).rejects.toMatchObject({ code: "agent.protocol" });
  expect(canceled).toBe(true);
  expect(chunks).toBeLessThan(15);
});

it.each(["ftp://127.0.0.1", "not an address"])("refuses %j as an address", async (url) => {
  const fetchImpl = (): Promise<Response> => Promise.reject(new Error("not asked"));
  await expect(fetchCard(url, { ...options, fetchImpl })).rejects.toMatchObject({ code: "agent.config" });
});

it.each([404, 500])("lets go of what comes with status %i", async (status) => {
  let canceled = false;
  const body = new ReadableStream({ cancel: () => void (canceled = true) });
  const fetchImpl = (): Promise<Response> => Promise.resolve(new Response(body, { status }));
  await expect(fetchCard(at, { ...options, fetchImpl })).rejects.toMatchObject({
    code: "agent.unreachable",
    retryable: status === 500,
  });
  expect(canceled).toBe(true);
});
