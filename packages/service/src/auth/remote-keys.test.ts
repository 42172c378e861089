import { silentLog, type Fetch } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { exportJWK, generateKeyPair, jwtVerify, SignJWT, type JWK } from "jose";
import { beforeAll, expect, it } from "vitest";

import { remoteKeys } from "./remote-keys.ts";

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
const pairs = new Map<string, Pair>();
const published = new Map<string, JWK>();
beforeAll(async () => {
  for (const kid of ["a", "b"]) {
    const pair = await generateKeyPair("EdDSA", { extractable: true });
    pairs.set(kid, pair);
    published.set(kid, { ...(await exportJWK(pair.publicKey)), kid });
  }
});

/** A server of keys whose answers the test chooses. */
function served() {
  const clock = virtualClock();
  const server = {
    kids: ["a"],
    answer: undefined as undefined | ((signal: AbortSignal) => Promise<Response>),
    fetches: 0,
  };
  const fetch: Fetch = (_url, init) => {
    server.fetches++;
    return (
      server.answer?.(init?.signal ?? new AbortController().signal) ??
      Promise.resolve(Response.json({ keys: server.kids.map((kid) => published.get(kid)) }))
    );
  };
  const keys = remoteKeys({ url: "https://id.example/keys", fetch, clock, log: silentLog });
  const isGood = async (kid: string, by = kid): Promise<boolean> => {
    const key = pairs.get(by)?.privateKey;
    if (key === undefined) throw new Error("no such key");
    const token = await new SignJWT({}).setProtectedHeader({ alg: "EdDSA", kid }).sign(key);
    return jwtVerify(token, keys).then(
      () => true,
      () => false,
    );
  };
  return { clock, server, isGood };
}

it("fetches once for many, and again when the keys are old", async () => {
  const { clock, server, isGood } = served();
  expect(await Promise.all([isGood("a"), isGood("a"), isGood("a")])).toEqual([true, true, true]);
  expect(server.fetches).toBe(1);
  await clock.advance(9 * 60_000);
  expect(await isGood("a")).toBe(true);
  expect(server.fetches).toBe(1);
  server.kids = ["b"];
  await clock.advance(60_000);
  // Taken back by its issuer.
  expect(await isGood("a")).toBe(false);
  expect(await isGood("b")).toBe(true);
});

it("learns of a new key from the first token with it, but is not led to ask at will", async () => {
  const { clock, server, isGood } = served();
  expect(await isGood("a")).toBe(true);
  server.kids = ["a", "b"];
  await clock.advance(30_000);
  expect(await isGood("b")).toBe(true);
  expect(server.fetches).toBe(2);
  for (let i = 0; i < 20; i++) expect(await isGood(`unknown-${i}`, "a")).toBe(false);
  expect(server.fetches).toBe(2);
  await clock.advance(30_000);
  expect(await isGood("unknown", "a")).toBe(false);
  expect(server.fetches).toBe(3);
});

it.each<[string, () => Promise<Response>]>([
  ["does not answer", () => Promise.reject(new TypeError("fetch failed"))],
  ["answers an error", () => Promise.resolve(new Response("no", { status: 503 }))],
  ["answers what is no JSON", () => Promise.resolve(new Response("<html>"))],
  ["answers what is no key set", () => Promise.resolve(Response.json({ keys: "x" }))],
  ["answers without end", () => Promise.resolve(new Response(" ".repeat(300_000) + '{"keys":[]}'))],
])("believes the keys of before for a day while the server %s, and none without", async (_what, answer) => {
  const { clock, server, isGood } = served();
  server.answer = answer;
  expect(await isGood("a")).toBe(false);
  expect(await isGood("a")).toBe(false);
  expect(server.fetches).toBe(1);
  await clock.advance(1_000);
  server.answer = undefined;
  expect(await isGood("a")).toBe(true);
  server.answer = answer;
  await clock.advance(60 * 60_000);
  expect(await isGood("a")).toBe(true);
  await clock.advance(24 * 60 * 60_000);
  expect(await isGood("a")).toBe(false);
});

it("gives up on a server that is silent", async () => {
  const { clock, server, isGood } = served();
  const asked = Promise.withResolvers<void>();
  server.answer = (signal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      asked.resolve();
    });
  const good = isGood("a");
  await asked.promise;
  await clock.advance(5_000);
  expect(await good).toBe(false);
  expect(clock.pending).toBe(0);
});
