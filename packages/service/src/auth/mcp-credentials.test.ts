import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parseAgentConfig } from "@troupe/core";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import { withTokens } from "./mcp-credentials.ts";
import { findMcpToken } from "./mcp-token.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-mcp-credentials-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});
const { mcp_servers: servers } = parseAgentConfig({
  agent_type: "a",
  name: "a",
  title: "A",
  description: "A.",
  system_prompt: "A.",
  mcp_servers: [
    { name: "here", url: "http://127.0.0.1:8095/mcp" },
    { name: "there", url: "https://tools.example/mcp" },
    { name: "named", url: "http://localhost:8096/mcp" },
    { name: "child", command: "node" },
  ],
});
const shown = (auth: "on" | "off", mcp_tokens: { readonly [name: string]: string }) =>
  withTokens(servers, { auth, home, mcp_tokens }).map((server) =>
    "headers" in server ? server.headers?.["Authorization"] : undefined,
  );

it("shows each server what is for it, that of the home to those of this machine only", () => {
  const there = shown("on", { named: "its-own", constructor: "x" });
  const token = findMcpToken(home);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(there).toEqual([`Bearer ${token}`, undefined, "Bearer its-own", undefined]);
});

it("shows what the settings say in place of the home's", () => {
  const settings = { auth: "on", home, mcp_token: "t".repeat(32), mcp_tokens: {} } as const;
  expect(withTokens(servers, settings)[0]).toMatchObject({
    headers: { Authorization: `Bearer ${"t".repeat(32)}` },
  });
  expect(readdirSync(home)).toEqual([]);
});

it("shows nothing but what is configured where nobody is asked, and makes no secret", () => {
  expect(shown("off", { there: "t" })).toEqual([undefined, "Bearer t", undefined, undefined]);
  expect(readdirSync(home)).toEqual([]);
});
