import { createHmac, createPublicKey } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, type Caller, type Fetch } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { exportJWK, generateKeyPair, SignJWT, type JSONWebKeySet, type JWTPayload } from "jose";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { authSettings } from "./auth-settings.ts";
import { openDelegationKey } from "./delegation-key.ts";
import { delegationIssuer } from "./delegation-issuer.ts";
import { addKey } from "./keys.ts";
import { openAuth } from "./open-auth.ts";
import { z } from "zod";

const PROVIDER = "https://id.example";
const BOSS = "http://127.0.0.1:8100";
const HERE = "http://127.0.0.1:8101";
const clock = virtualClock();
await clock.advance(1_795_000_000_000);
const now = (): number => Math.floor(clock.now() / 1_000);
const schema = z.object(authSettings);
const all = {
  auth: "on",
  jwt_issuer: PROVIDER,
  jwt_audience: "troupe",
  jwt_jwks_url: `${PROVIDER}/keys`,
  trusted_issuers: { [`http://localhost:8100/`]: `${BOSS}/.well-known/jwks.json` },
};

function folder(): string {
  const home = mkdtempSync(join(tmpdir(), "troupe-auth-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

const pair = (alg: string) => generateKeyPair(alg, { extractable: true });
let es: Awaited<ReturnType<typeof pair>>;
let rsa: Awaited<ReturnType<typeof pair>>;
let providerKeys: JSONWebKeySet;
beforeAll(async () => {
  [es, rsa] = await Promise.all([pair("ES256"), pair("RS256")]);
  providerKeys = {
    keys: [
      { ...(await exportJWK(es.publicKey)), kid: "es", alg: "ES256" },
      { ...(await exportJWK(rsa.publicKey)), kid: "rsa" },
      // One that should never have been published signs nothing.
      { kty: "oct", kid: "secret", k: Buffer.from("shared").toString("base64url"), alg: "HS256" },
    ],
  };
});

/** A process that asks who calls, and a boss that may call in anybody's name. */
async function opened(given: object = {}) {
  const home = folder();
  const key = await openDelegationKey(folder());
  const boss = delegationIssuer({ key, actor: "orchestrator", issuer: BOSS, clock, newId: () => "id" });
  const fetch: Fetch = (url) =>
    Promise.resolve(Response.json(url === `${PROVIDER}/keys` ? providerKeys : boss.jwks));
  const settings = schema.parse({ ...all, ...given });
  const auth = openAuth({ settings, home, addresses: () => [`${HERE}/`], fetch, clock, log: silentLog });
  const whose = (token: string): Promise<Caller | undefined> =>
    auth?.authenticate({ authorization: `Bearer ${token}` }) ?? Promise.resolve(undefined);
  return { home, key, boss, auth, whose };
}

const claims = (): JWTPayload => ({
  iss: PROVIDER,
  aud: "troupe",
  sub: "ann",
  exp: now() + 60,
  scope: "openid agent:rag-agent",
});
const sign = (
  payload: JWTPayload,
  header: { alg: string; kid?: string; typ?: string } = { alg: "ES256", kid: "es" },
) =>
  new SignJWT(payload)
    .setProtectedHeader(header)
    .sign(header.alg.startsWith("RS") ? rsa.privateKey : es.privateKey);
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const hmac = (header: object, payload: object, secret: string | Buffer): string => {
  const body = `${part(header)}.${part(payload)}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
};

describe("a token of the identity provider", () => {
  it("names the person and what they may use", async () => {
    const { whose } = await opened();
    const ann = { id: "ann", scopes: ["agent:rag-agent"] };
    expect(await whose(await sign(claims()))).toEqual(ann);
    expect(await whose(await sign(claims(), { alg: "RS256", kid: "rsa" }))).toEqual(ann);
    expect(await whose(await sign({ ...claims(), aud: ["other", "troupe"], nbf: now() }))).toEqual(ann);
  });

  it.each<[string, (good: JWTPayload) => Promise<string> | string]>([
    ["of another issuer", (good) => sign({ ...good, iss: "https://evil.example" })],
    ["of no issuer", ({ iss: _, ...rest }) => sign(rest)],
    ["for another audience", (good) => sign({ ...good, aud: "other" })],
    ["for no audience", ({ aud: _, ...rest }) => sign(rest)],
    ["that has expired", (good) => sign({ ...good, exp: now() - 31 })],
    ["that never expires", ({ exp: _, ...rest }) => sign(rest)],
    ["that is not good yet", (good) => sign({ ...good, nbf: now() + 31 })],
    ["of nobody", ({ sub: _, ...rest }) => sign(rest)],
    ["of somebody without a name", (good) => sign({ ...good, sub: "" })],
    ["of a name that breaks a line", (good) => sign({ ...good, sub: "ann\r\nX-Admin: 1" })],
    ["of a name that is none", (good) => sign({ ...good, sub: "x".repeat(201) })],
    [
      "by a key the issuer does not have",
      async (good) => {
        const { privateKey } = await pair("ES256");
        return new SignJWT(good).setProtectedHeader({ alg: "ES256", kid: "es" }).sign(privateKey);
      },
    ],
    ["without a signature", (good) => `${part({ alg: "none" })}.${part(good)}.`],
    [
      "that says none and is signed",
      async (good) => {
        const [, , signature] = (await sign(good)).split(".");
        return `${part({ alg: "none", kid: "es" })}.${part(good)}.${signature}`;
      },
    ],
    [
      "with a public key taken for a secret",
      async (good) => {
        const pem = createPublicKey({ key: await exportJWK(rsa.publicKey), format: "jwk" } as never).export({
          type: "spki",
          format: "pem",
        });
        return hmac({ alg: "HS256", kid: "rsa" }, good, pem);
      },
    ],
    [
      "by a secret that stands among the public keys",
      (good) => hmac({ alg: "HS256", kid: "secret" }, good, "shared"),
    ],
    [
      "that brings its own key",
      async (good) => {
        const { publicKey, privateKey } = await pair("ES256");
        const header = { alg: "ES256", jwk: await exportJWK(publicKey), jku: "https://evil.example/keys" };
        return new SignJWT(good).setProtectedHeader(header).sign(privateKey);
      },
    ],
    [
      "whose words were changed",
      async (good) => {
        const [header, , signature] = (await sign(good)).split(".");
        return `${header}.${part({ ...good, sub: "root" })}.${signature}`;
      },
    ],
    ["that is huge", (good) => sign({ ...good, junk: "x".repeat(9_000) })],
  ])("%s names nobody", async (_what, make) => {
    const { whose } = await opened();
    expect(await whose(await make(claims()))).toBeUndefined();
  });

  it("is no token for one call, nor the other way round", async () => {
    const { boss, whose } = await opened();
    const call = { caller: { id: "ann", scopes: ["*"] }, agent: "rag-agent", audience: HERE };
    expect(await whose(await boss.tokenFor(call))).toBeDefined();
    // The provider's key under the agent's name, and the agent's words under the provider's.
    expect(await whose(await sign({ ...claims(), iss: BOSS, aud: HERE }))).toBeUndefined();
    const typed = { alg: "ES256", kid: "es", typ: "troupe-delegation+jwt" };
    expect(
      await whose(await sign({ ...claims(), iss: BOSS, aud: HERE, iat: now(), act: { sub: "x" } }, typed)),
    ).toBeUndefined();
  });
});

describe("a token that an agent makes for one call", () => {
  const ann: Caller = { id: "ann", scopes: ["agent:rag-agent", "agent:ppt-agent", "metrics"] };

  it("names the person, the agent that calls, and the one right it is for", async () => {
    const { boss, whose } = await opened();
    const token = (caller: Caller, agent = "rag-agent") => boss.tokenFor({ caller, agent, audience: HERE });
    expect(await whose(await token(ann))).toEqual({
      id: "ann",
      scopes: ["agent:rag-agent"],
      actor: "orchestrator",
    });
    expect(await whose(await token({ id: "root", scopes: ["*"] }))).toMatchObject({
      scopes: ["agent:rag-agent"],
    });
    expect(await whose(await token(ann, "data-agent"))).toMatchObject({ scopes: [] });
  });

  it("opens no other agent's door, and none for long", async () => {
    const { boss, whose } = await opened();
    const token = (audience: string) => boss.tokenFor({ caller: ann, agent: "rag-agent", audience });
    for (const other of ["http://127.0.0.1:8102", "https://127.0.0.1:8101", `${HERE}/x`, ""])
      expect(await whose(await token(other))).toBeUndefined();
    const good = await token(HERE);
    await clock.advance(140_000);
    expect(await whose(good)).toBeDefined();
    await clock.advance(20_000);
    expect(await whose(good)).toBeUndefined();
  });

  it("is taken only as long as one may live and for what one may grant, whatever it says", async () => {
    const { key, whose } = await opened();
    const terms = {
      iss: BOSS,
      aud: HERE,
      sub: "ann",
      scope: "agent:rag-agent",
      act: { sub: "orchestrator" },
    };
    const signed = (payload: JWTPayload, typ = "troupe-delegation+jwt") =>
      new SignJWT(payload).setProtectedHeader({ alg: "EdDSA", kid: key.kid, typ }).sign(key.privateKey);
    expect(await whose(await signed({ ...terms, iat: now(), exp: now() + 300 }))).toBeDefined();
    const more = { ...terms, scope: "* agent:rag-agent metrics", iat: now(), exp: now() + 60 };
    expect(await whose(await signed(more))).toMatchObject({ scopes: ["agent:rag-agent"] });
    expect(await whose(await signed({ ...terms, iat: now(), exp: now() + 301 }))).toBeUndefined();
    expect(await whose(await signed({ ...terms, exp: now() + 60 }))).toBeUndefined();
    expect(await whose(await signed({ ...terms, iat: now() - 400, exp: now() + 60 }))).toBeUndefined();
    expect(await whose(await signed({ ...terms, iat: now(), exp: now() + 60 }, "JWT"))).toBeUndefined();
    const { act: _, ...unsaid } = terms;
    expect(await whose(await signed({ ...unsaid, iat: now(), exp: now() + 60 }))).toBeUndefined();
  });

  it("is not taken from an agent that nobody trusts", async () => {
    const { boss, whose } = await opened({ trusted_issuers: {} });
    expect(
      await whose(await boss.tokenFor({ caller: ann, agent: "rag-agent", audience: HERE })),
    ).toBeUndefined();
  });
});

it("refuses nobody for good because their issuer is away", async () => {
  const fetch: Fetch = () => Promise.reject(new TypeError("fetch failed"));
  const settings = schema.parse(all);
  const auth = openAuth({ settings, home: folder(), addresses: () => [HERE], fetch, clock, log: silentLog });
  const ask = async (token: string) => auth?.authenticate({ authorization: `Bearer ${token}` });
  await expect(ask(await sign(claims()))).rejects.toMatchObject({
    code: "agent.unreachable",
    retryable: true,
  });
  expect(await ask(await sign({ ...claims(), iss: "https://evil.example" }))).toBeUndefined();
});

it("reads one Authorization header, of one token", async () => {
  const { home, auth } = await opened();
  const { key } = addKey({ home, name: "k", user: "ann", scopes: ["*"], clock });
  const ask = (authorization: unknown) => auth?.authenticate({ authorization } as never);
  expect(await ask(`Bearer ${key}`)).toEqual({ id: "ann", scopes: ["*"] });
  expect(await ask(`bearer   ${key}`)).toBeDefined();
  const bad = [undefined, "", key, `Basic ${key}`, `Bearer ${key} ${key}`, `Bearer ${key}, Bearer ${key}`];
  for (const header of [
    ...bad,
    [`Bearer ${key}`],
    `Bearer ${key}\r\nX: 1`,
    `X Bearer ${key}`,
    "Bearer",
    "Bearer a.b.c",
    "Bearer ....",
  ])
    expect(await ask(header)).toBeUndefined();
});

it("says on the card what it asks for, and nothing else", async () => {
  const { auth } = await opened();
  const { schemes, requirements } = auth?.security("rag-agent") ?? { schemes: {}, requirements: [] };
  expect(Object.keys(schemes)).toEqual(["apiKey", "jwt", "delegation"]);
  expect(requirements).toEqual(Object.keys(schemes).map((name) => ({ [name]: ["agent:rag-agent"] })));
  const off = {
    jwt_issuer: undefined,
    jwt_audience: undefined,
    jwt_jwks_url: undefined,
    trusted_issuers: {},
  };
  const { auth: keysOnly } = await opened(off);
  expect(Object.keys(keysOnly?.security("a").schemes ?? {})).toEqual(["apiKey"]);
  const { auth: none } = await opened({ ...off, auth: "off" });
  expect(none).toBeUndefined();
});

it.each([
  [{ ...all, auth: "off" }, /authentication is off/],
  [{ auth: "off", trusted_issuers: all.trusted_issuers }, /authentication is off/],
  [{ auth: "on", jwt_issuer: PROVIDER }, /belong together/],
  [{ ...all, trusted_issuers: { [PROVIDER]: `${PROVIDER}/keys` } }, /too/],
])("refuses settings that would protect less than they seem to: %j", (given, why) => {
  const settings = schema.parse(given);
  const fetch: Fetch = () => Promise.reject(new Error("no"));
  expect(() => openAuth({ settings, home: "", addresses: () => [], fetch, clock, log: silentLog })).toThrow(
    why,
  );
});
