import * as fc from "fast-check";
import { expect, it } from "vitest";

import { scopesIn } from "./claims.ts";

it.each([
  [{ scope: "agent:a openid metrics" }, { claim: "scope" }, ["agent:a", "metrics"]],
  [{ scp: ["agent:a", 7, "agent:a"] }, { claim: "scp" }, ["agent:a"]],
  [{ realm_access: { roles: ["analyst"] } }, { claim: "realm_access.roles", map: { analyst: ["*"] } }, ["*"]],
  [
    { "https://a.example/roles": ["x"] },
    { claim: "https://a.example/roles", map: { x: ["agent:b"] } },
    ["agent:b"],
  ],
  // What is not in the map grants nothing, not even a scope by its name, and nothing is inherited.
  [{ scope: "* agent:a constructor __proto__" }, { claim: "scope", map: {} }, []],
  [{}, { claim: "constructor.name" }, []],
  [{ scope: { "0": "*" } }, { claim: "scope" }, []],
])("reads the scopes of %j by %j", (payload, rules, expected) => {
  expect(scopesIn(payload, rules)).toEqual(expected);
});

it("grants scopes of ours and nothing else, whatever a token holds", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (payload, claim) => {
      for (const scope of scopesIn(payload, { claim })) expect(scope).toMatch(/^(\*|metrics|agent:\S+)$/);
    }),
  );
});
