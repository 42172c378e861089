import { expect, it } from "vitest";

import { trustEnv } from "./trust.ts";

const HERE = "http://127.0.0.1:8100";
const KEYS = `${HERE}/.well-known/jwks.json`;

it("has agents trust the orchestrator they are started with, beside those they trust anyway", () => {
  expect(trustEnv({}, HERE)).toEqual({
    TROUPE_ISSUER: HERE,
    TROUPE_TRUSTED_ISSUERS: JSON.stringify({ [HERE]: KEYS }),
  });
  const other = { "https://a.example": "https://a.example/keys" };
  const given = { TROUPE_ISSUER: "https://b.example", TROUPE_TRUSTED_ISSUERS: JSON.stringify(other) };
  expect(JSON.parse(trustEnv(given, HERE)["TROUPE_TRUSTED_ISSUERS"] ?? "")).toEqual({
    ...other,
    "https://b.example": KEYS,
  });
});

it("leaves what it cannot read to the processes to refuse", () => {
  for (const broken of ["{", "[]", "7"])
    expect(trustEnv({ TROUPE_TRUSTED_ISSUERS: broken }, HERE)).toEqual({ TROUPE_ISSUER: HERE });
});
