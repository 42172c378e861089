import type { AgentEntry } from "@troupe/core";
import { expect, it } from "vitest";

import { namesakes, withLeftOut } from "./agents.ts";

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
const app = (name: string, url: string, problem?: string) => ({
  name,
  kind: "agent" as const,
  url,
  ...(problem === undefined ? {} : { problem }),
});

it("tells an agent that was left out, and why, from one that is only away", () => {
  const entries = [
    entry("rag-agent", "http://a", "up"),
    entry("data-agent", "http://b", "down"),
    entry("http://c", "http://c", "down"),
  ];
  const apps = [
    app("rag-agent", "http://a"),
    app("data-agent", "http://b"),
    app("own", "http://c", "it threw"),
  ];
  expect(withLeftOut(entries, apps).map(({ name, status, reason }) => [name, status, reason])).toEqual([
    ["rag-agent", "up", undefined],
    ["data-agent", "down", "cannot be reached"],
    ["own", "left out", "it threw"],
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
