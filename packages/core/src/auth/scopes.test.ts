import * as fc from "fast-check";
import { expect, it } from "vitest";

import { agentScope, hasScope, narrowScopes } from "./scopes.ts";

it("grants what is named, everything to a star, and nothing that only looks like it", () => {
  expect(hasScope(["agent:rag-agent"], "agent:rag-agent")).toBe(true);
  expect(hasScope(["*"], "agent:anything")).toBe(true);
  expect(hasScope([], "agent:rag-agent")).toBe(false);
  expect(hasScope(["agent:*", "agent:rag", "AGENT:RAG-AGENT", " agent:rag-agent"], "agent:rag-agent")).toBe(
    false,
  );
});

it("narrows to one agent at most, and never to more than there was", () => {
  const names = fc.stringMatching(/^[a-z*-]{0,4}$/);
  const scopes = fc.array(fc.oneof(names.map(agentScope), fc.constant("*"), names));
  fc.assert(
    fc.property(scopes, names, names, (held, agent, other) => {
      const narrowed = narrowScopes(held, agent);
      for (const scope of narrowed) expect(hasScope(held, scope)).toBe(true);
      expect(hasScope(narrowed, agentScope(agent))).toBe(hasScope(held, agentScope(agent)));
      expect(hasScope(narrowed, agentScope(other))).toBe(
        other === agent && hasScope(held, agentScope(agent)),
      );
      expect(narrowed).not.toContain("*");
    }),
  );
});
