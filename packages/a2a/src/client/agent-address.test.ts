import { expect, it } from "vitest";

import { createRegistry } from "../registry/create-registry.ts";
import { agentAddress, shown } from "./agent-address.ts";
import { connectAgent } from "./connect-agent.ts";

const never = (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));

it.each([
  ["http://me:s3cret@127.0.0.1:1", "The address of 127.0.0.1:1 holds a name or a password."],
  ["http://s3cret@127.0.0.1:1/.well-known/agent-card.json", "The address of 127.0.0.1:1 holds"],
  ["http://me:s3cret@no host", '"…@no host" is no address of an agent'],
  ["ftp://me:s3@cret@127.0.0.1", '"…@127.0.0.1" is no address of an agent'],
  ["not an address", '"not an address" is no address of an agent'],
])("%s is refused wherever it is given, and no password is told", async (url, words) => {
  const expected = { code: "agent.config", message: expect.stringContaining(words) as unknown };
  expect(() => agentAddress(url)).toThrow(expect.objectContaining(expected) as Error);
  await expect(connectAgent(url, { fetch: never })).rejects.toMatchObject(expected);
  const registry = createRegistry({ fetch: never });
  expect(() => registry.add(url)).toThrow(expect.objectContaining(expected) as Error);
  expect(await registry.list()).toEqual([]);
  expect(await connectAgent(url, { fetch: never }).catch(String)).not.toMatch(/s3|cret/);
});

it("what may be a secret in a query stands in no message", async () => {
  const url = "http://127.0.0.1:1/team/card.json?key=s3cret";
  const answer = (status: number) => (): Promise<Response> => Promise.resolve(new Response("", { status }));
  for (const fetch of [never, answer(404), answer(200), answer(401), answer(403)]) {
    const failure = await connectAgent(url, { fetch, limits: { retries: 0 } }).catch(String);
    expect(failure).toContain("http://127.0.0.1:1/team/card.json");
    expect(failure).not.toContain("s3cret");
  }
});

it.each([
  ["http://127.0.0.1:1", "http://127.0.0.1:1"],
  ["http://127.0.0.1:1/?key=s3cret#s3cret", "http://127.0.0.1:1"],
  ["https://a.example/team/?key=s3cret", "https://a.example/team/"],
])("%s is shown as %s", (url, as) => {
  expect(shown(url)).toBe(as);
});
