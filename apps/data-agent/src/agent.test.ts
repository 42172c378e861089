import { defineTool, type ToolSource } from "@troupe/core";
import { expect, it } from "vitest";
import { z } from "zod";

import { dataAgent } from "./agent.ts";

it("takes a citation of another step as step/id, so that a model writes none", async () => {
  const tool = defineTool({
    name: "visualize",
    description: "Makes a chart.",
    input: z.object({ citation: z.looseObject({ id: z.string() }).meta({ "x-troupe-ref": "citation" }) }),
    execute: () => Promise.resolve({ text: "" }),
  });
  const source: ToolSource = {
    name: "data-mcp",
    list: () => Promise.resolve([tool]),
    close: () => Promise.resolve(),
  };
  const { signal } = new AbortController();
  const [adapted] = (await dataAgent.adapt?.(source, {}).list({ signal })) ?? [];
  expect(JSON.stringify(adapted?.definition.inputSchema)).toContain("citation of a step, as step/id");
});
