import { join } from "node:path";

import { systemClock, type Log } from "@troupe/core";
import { newId, type Running } from "@troupe/service";
import { mcpSettings, startMcp, type McpDefinition, type McpSettings } from "@troupe/service/mcp";

import { filePresentationStore } from "./adapters/file-presentation-store.ts";
import { storeByCaller } from "./state/presentation-store.ts";
import { powerpointTools } from "./tools/tools.ts";

export const settings: ReturnType<typeof mcpSettings> = mcpSettings(8085);

export const pptMcp: McpDefinition = {
  name: "ppt-mcp",
  version: "0.1.0",
  instructions:
    "Makes PowerPoint presentations from typed slides. Order: powerpoint_create_presentation first (it returns presentation_id), " +
    "then powerpoint_add_slide for each slide, then powerpoint_save_presentation. Keep a slide to one message and 40 words.",
  open: async ({ home, artifacts, access }) => {
    const store = filePresentationStore({ dir: join(home, "decks"), clock: systemClock, newId });
    return {
      tools: powerpointTools({ storeOf: storeByCaller(store, access), artifacts }),
      close: () => Promise.resolve(),
    };
  },
};

/** Serves the tools over MCP until it is closed. */
export function start(config: McpSettings, tools: { readonly log: Log }): Promise<Running> {
  return startMcp(pptMcp, config, tools);
}
