import type { AgentEntry } from "@troupe/core";
import { expect, it } from "vitest";

import type { AppRecord } from "../server-record.ts";
import { namesakes, toolServersDown, withServerState } from "./agents.ts";

const entry = (name: string, url: string, status: "up" | "down"): AgentEntry => ({
  name,
  title: name,
  description: "",
  version: "1.0.0",
  skills: [],
  url,
  status,
  ...(status === "up" ? {} : { reason: "cannot be reached" }),
});
const app = (name: string, url: string, state: Pick<AppRecord, "problem" | "retryAt"> = {}): AppRecord => ({
  name,
  kind: "agent",
  url,
  ...state,
});

it("distinguishes agents that are restarted and those left out from ones that are only away", () => {
  const entries = [
    entry("rag-agent", "http://a", "up"),
    entry("data-agent", "http://b", "down"),
    entry("http://c", "http://c", "down"),
    entry("ppt-agent", "http://d", "down"),
  ];
  const apps = [
    app("rag-agent", "http://a"),
    app("data-agent", "http://b"),
    app("own", "http://c", { problem: "it threw" }),
    app("ppt-agent", "http://d", { problem: "ppt-agent ended by SIGKILL", retryAt: 9_000 }),
  ];
  const shown = withServerState(entries, apps, 1_000);
  expect(shown.map(({ name, status, reason }) => [name, status, reason])).toEqual([
    ["rag-agent", "up", undefined],
    ["data-agent", "down", "cannot be reached"],
    ["own", "left out", "it threw"],
    ["ppt-agent", "restarting", "ppt-agent ended by SIGKILL. Restarting in 8 s."],
  ]);
});

it("names MCP servers that do not run, and when they are started again", () => {
  const apps: readonly AppRecord[] = [
    app("rag-agent", "http://a", { problem: "it threw" }),
    { ...app("ppt-mcp", "http://b"), kind: "mcp" },
    { ...app("rag-mcp", "http://c", { problem: "The index is damaged.", retryAt: 9_000 }), kind: "mcp" },
    { ...app("data-mcp", "http://d", { problem: "Settings that cannot be used" }), kind: "mcp" },
  ];
  expect(toolServersDown(apps, 1_000)).toEqual([
    "rag-mcp        restarting: The index is damaged. Restarting in 8 s.",
    "data-mcp       left out: Settings that cannot be used",
  ]);
});

it("knows agents that share a name", () => {
  const entries = [
    entry("a", "http://1", "up"),
    entry("b", "http://2", "up"),
    entry("a", "http://3", "down"),
  ];
  expect([...namesakes(entries)]).toEqual([["a", ["http://1", "http://3"]]]);
});
