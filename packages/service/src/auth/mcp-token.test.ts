import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { openMcpToken, tokenCheck } from "./mcp-token.ts";

it("is one for all processes of a home, and for nobody else to read", () => {
  const home = mkdtempSync(join(tmpdir(), "troupe-mcp-token-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const token = openMcpToken(home);
  const file = join(home, "auth", "mcp-token");
  expect(openMcpToken(home)).toBe(token);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const isGood = tokenCheck(token);
  expect([token, `${token} `, token.slice(1), ""].map(isGood)).toEqual([true, false, false, false]);
  writeFileSync(file, "short");
  expect(() => openMcpToken(home)).toThrow(/holds no token/);
  chmodSync(file, 0o644);
  expect(() => openMcpToken(home)).toThrow(/can be read by others/);
});
