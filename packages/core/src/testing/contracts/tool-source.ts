import type { Json } from "@troupe/stream";
import { describe, expect, it, onTestFinished } from "vitest";

import { silentLog } from "../../ports/log.ts";
import type { Tool, ToolContext, ToolSource } from "../../ports/tool.ts";

/** One tool of the source under test, and what it is known to do. */
export interface ToolSourceFixture {
  readonly source: ToolSource;
  readonly tool: string;
  /** Arguments it accepts, and text that its output then contains. */
  readonly accepts: { readonly args: Json; readonly text: string };
  /** Arguments it does not accept. */
  readonly rejects: Json;
}

/** What every `ToolSource` keeps. The suite closes the source. */
export function toolSourceContract(name: string, make: () => Promise<ToolSourceFixture>): void {
  async function open(): Promise<ToolSourceFixture & { readonly find: () => Promise<Tool> }> {
    const fixture = await make();
    onTestFinished(() => fixture.source.close());
    const find = async (): Promise<Tool> => {
      const tools = await fixture.source.list({ signal: new AbortController().signal });
      const tool = tools.find(({ definition }) => definition.name === fixture.tool);
      if (tool === undefined) throw new Error(`"${fixture.tool}" is not among the tools`);
      return tool;
    };
    return { ...fixture, find };
  }

  describe(`ToolSource contract: ${name}`, () => {
    it("lists tools with a description and an object schema, the same each time", async () => {
      const { source } = await open();
      const signal = new AbortController().signal;
      const first = await source.list({ signal });
      const second = await source.list({ signal });
      expect(first.length).toBeGreaterThan(0);
      for (const { definition } of first) {
        expect(definition.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(definition.description).not.toBe("");
        expect(definition.inputSchema["type"]).toBe("object");
      }
      expect(second.map(({ definition }) => definition)).toEqual(first.map(({ definition }) => definition));
    });

    it("runs a tool", async () => {
      const { find, accepts } = await open();
      const tool = await find();
      const parsed = tool.parse(accepts.args);
      if (!parsed.ok) throw new Error(parsed.issues.join("; "));
      const output = await tool.execute(parsed.value, context(new AbortController().signal));
      expect(output.text).toContain(accepts.text);
      expect(output.isError ?? false).toBe(false);
    });

    it("says what is wrong with bad arguments, as an issue or as an error of the tool", async () => {
      const { find, rejects } = await open();
      const tool = await find();
      expect(await complaint(tool, rejects)).not.toBe("");
    });

    it("does not list for a caller that has gone", async () => {
      const { source } = await open();
      const gone = AbortSignal.abort(new Error("gone"));
      await expect(source.list({ signal: gone })).rejects.toBeInstanceOf(Error);
    });

    it("may be closed twice", async () => {
      const { source } = await open();
      await source.close();
      await expect(source.close()).resolves.toBeUndefined();
    });
  });
}

/** What the tool says against the arguments; empty when it takes them. */
async function complaint(tool: Tool, args: Json): Promise<string> {
  const parsed = tool.parse(args);
  if (!parsed.ok) return parsed.issues.join("; ");
  const output = await tool.execute(parsed.value, context(new AbortController().signal));
  return output.isError === true ? output.text : "";
}

function context(signal: AbortSignal): ToolContext {
  return {
    runId: "contract",
    callId: "call-1",
    agent: "contract",
    signal,
    shared: { v: 1, results: {} },
    log: silentLog,
  };
}
