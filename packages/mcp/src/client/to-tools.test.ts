import { silentLog, type ToolContext } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { resolveConfig } from "./config.ts";
import { toTools } from "./to-tools.ts";

const inputSchema = { type: "object" as const };

function convert(names: readonly string[], extra: object = {}) {
  const called: string[] = [];
  const warnings: string[] = [];
  const tools = toTools(
    names.map((name) => ({ name, inputSchema, ...extra })),
    resolveConfig({ name: "rag", url: "http://127.0.0.1:1/mcp" }),
    async (name) => {
      called.push(name);
      return { text: "" };
    },
    { ...silentLog, warn: (message) => void warnings.push(message) },
  );
  return { tools, called, warnings };
}

describe("remote tools as the loop knows them", () => {
  it("get names a provider takes, and are called by their own", async () => {
    const { tools, called } = convert(["files/read.all", "x".repeat(100)]);
    expect(tools.map(({ definition }) => definition.name)).toEqual(["files_read_all", "x".repeat(64)]);
    await tools[0]?.execute({}, {} as ToolContext);
    expect(called).toEqual(["files/read.all"]);
  });

  it("are left out when their name is taken", () => {
    const { tools, warnings } = convert(["a.b", "a/b"]);
    expect([tools.length, warnings.length]).toEqual([1, 1]);
  });

  it.each([
    [{ readOnlyHint: true }, true],
    [{ idempotentHint: true }, true],
    [{ readOnlyHint: false }, false],
    [undefined, false],
  ])("with annotations %j may be repeated: %s", (annotations, idempotent) => {
    expect(convert(["a"], { annotations }).tools[0]?.idempotent).toBe(idempotent);
  });

  it.each([
    [
      { readOnlyHint: true, title: "Read" },
      { title: "Read", readOnly: true, destructive: false, openWorld: true },
    ],
    [{ openWorldHint: false }, { title: "a", readOnly: false, destructive: true, openWorld: false }],
    [undefined, undefined],
  ])("with annotations %j do %j", (annotations, expected) => {
    expect(convert(["a"], { annotations }).tools[0]?.annotations).toEqual(expected);
  });

  it("always say something of themselves, within bounds", () => {
    expect(convert(["a"], { description: "  " }).tools[0]?.definition.description).toBe("a of rag");
    expect(convert(["a"], { description: "x".repeat(9_000) }).tools[0]?.definition.description).toHaveLength(
      8_000,
    );
  });
});
