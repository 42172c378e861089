import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { testContext } from "../../testing/test-context.ts";
import { addApiKey, listApiKeys, revokeApiKey } from "./keys.ts";

/** Commands in a home of their own, and what they print. */
function shell(env: { readonly [name: string]: string } = {}) {
  const home = mkdtempSync(join(tmpdir(), "troupe-keys-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const said = { out: "", err: "" };
  const context = testContext(home, {
    env,
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
  });
  const taken = (): { readonly out: string; readonly err: string } => {
    const now = { ...said };
    Object.assign(said, { out: "", err: "" });
    return now;
  };
  return { context, taken };
}

it("prints a key alone on stdout, and never again", () => {
  const { context, taken } = shell({ TROUPE_AUTH: "on" });
  expect(addApiKey(context, { name: "laptop", user: "ann", scopes: "agent:a, metrics" })).toBe(0);
  const { out, err } = taken();
  expect(out).toMatch(/^troupe_[0-9a-f]{8}_[\w-]{43}\n$/);
  expect(err).not.toContain("TROUPE_AUTH");
  listApiKeys(context, { json: false });
  const listed = taken().out;
  expect(listed).toMatch(/^laptop .* ann .* agent:a,metrics {2}since \d{4}-/);
  listApiKeys(context, { json: true });
  const asJson = taken().out;
  expect(JSON.parse(asJson)).toMatchObject([{ name: "laptop", user: "ann", scopes: ["agent:a", "metrics"] }]);
  for (const text of [listed, asJson]) expect(text).not.toContain(out.slice(20, 40));
  revokeApiKey(context, "laptop");
  expect(taken().out).toMatch(/^Key laptop \([0-9a-f]{8}\) of ann is revoked\.\n$/);
  listApiKeys(context, { json: false });
  expect(taken().out).toContain("revoked");
});

it("says where a key has no effect yet, and refuses what is none", () => {
  const { context, taken } = shell();
  listApiKeys(context, { json: false });
  expect(taken().out).toContain("There are no keys");
  addApiKey(context, { name: "laptop", user: "ann", scopes: "*" });
  expect(taken().err).toContain("TROUPE_AUTH=on");
  expect(() => addApiKey(context, { name: "b", user: "ann", scopes: "" })).toThrow('"" is no scope');
  expect(() => revokeApiKey(context, "")).toThrow("Say which key");
  expect(() => revokeApiKey(context, "desktop")).toThrow('There is no key "desktop" in force');
});
