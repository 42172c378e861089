import { describe, expect, it } from "vitest";
import { z } from "zod";

import { policyRuleSchema } from "../config/policy-rule.ts";
import { runView } from "../testing/run-view.ts";
import { echoTool } from "../testing/tools.ts";
import { policy } from "./policy.ts";

const rulesOf = (...rules: readonly unknown[]) => policy(z.array(policyRuleSchema).parse(rules));

async function refusal(middleware: ReturnType<typeof policy>, tool: string, args: object = {}) {
  const call = { callId: "c", tool: echoTool(tool), arguments: args as never };
  const verdict = await middleware.beforeTool?.(call, runView());
  return typeof verdict === "object" ? verdict.refuse : undefined;
}

describe("policy", () => {
  it("lets pass what no rule fits, and costs nothing without rules", async () => {
    expect(policy([])).toEqual({ name: "policy" });
    expect(await refusal(rulesOf({ effect: "deny", tool: "delete_*" }), "read_file")).toBeUndefined();
  });

  it("refuses by a tool's name, and says which rule it was and that nothing was done", async () => {
    const rules = rulesOf(
      { effect: "deny", tool: "delete_*", name: "no-deletes" },
      { effect: "deny", tool: "x" },
    );
    expect(await refusal(rules, "delete_repo")).toMatch(
      /"no-deletes": delete_repo may not be called\. Nothing/,
    );
    expect(await refusal(rules, "x")).toContain('"policy[1]"');
  });

  it("goes by the first rule that fits", async () => {
    const rules = rulesOf(
      { effect: "allow", tool: "fetch", arguments: { url: ["https://a.example/*", "https://b.example/*"] } },
      { effect: "deny", tool: "fetch", name: "known-hosts" },
    );
    expect(await refusal(rules, "fetch", { url: "https://b.example/x" })).toBeUndefined();
    expect(await refusal(rules, "fetch", { url: "https://c.example/x" })).toContain("known-hosts");
    expect(await refusal(rules, "fetch", {})).toContain("known-hosts");
  });

  it("denies when one value is bad and allows only when all are good, however they are packed", async () => {
    const deny = rulesOf({ effect: "deny", arguments: { "files.path": "/etc/*" } });
    expect(
      await refusal(deny, "read", { files: [{ path: "/tmp/a" }, { path: "/etc/passwd" }] }),
    ).toBeDefined();
    expect(await refusal(deny, "read", { files: { path: ["/tmp/a", { deep: "/etc/x" }] } })).toBeDefined();
    expect(await refusal(deny, "read", { files: { path: "/tmp/a" } })).toBeUndefined();
    const allow = rulesOf({ effect: "allow", arguments: { path: "/tmp/*" } }, { effect: "deny" });
    expect(await refusal(allow, "read", { path: ["/tmp/a", "/etc/b"] })).toBeDefined();
    expect(await refusal(allow, "read", { path: ["/tmp/a", "/tmp/b"] })).toBeUndefined();
    expect(await refusal(allow, "read", { path: [] })).toBeDefined();
  });

  it("reads numbers, yes and no as text, any key by a star, and no key that is not there", async () => {
    const rules = rulesOf(
      { effect: "deny", arguments: { force: "true" } },
      { effect: "deny", arguments: { "*.id": "7" } },
      { effect: "deny", arguments: { constructor: "*" } },
    );
    expect(await refusal(rules, "t", { force: true })).toContain("policy[0]");
    expect(await refusal(rules, "t", { any: { id: 7 } })).toContain("policy[1]");
    expect(await refusal(rules, "t", { force: null, other: { id: 8 } })).toBeUndefined();
  });

  it("takes no rule it does not know", () => {
    expect(() => rulesOf({ effect: "forbid" })).toThrow(/effect/);
    expect(() => rulesOf({ effect: "deny", tools: "x" })).toThrow(/tools/);
  });
});
