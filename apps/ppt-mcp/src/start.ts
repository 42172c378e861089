import { join } from "node:path";

import { answerCheck } from "@troupe/checks";
import { systemClock, type Log } from "@troupe/core";
import { newId, type Running } from "@troupe/service";
import { mcpSettings, startMcp, type McpDefinition, type McpSettings } from "@troupe/service/mcp";

import { filePresentationStore } from "./adapters/file-presentation-store.ts";
import { presentationResources } from "./presentation-resources.ts";
import { storeByCaller } from "./state/presentation-store.ts";
import { powerpointTools } from "./tools/tools.ts";

export const settings: ReturnType<typeof mcpSettings> = mcpSettings(8085);

export const pptMcp: McpDefinition = {
  name: "ppt-mcp",
  version: "0.1.0",
  instructions:
    "Makes PowerPoint presentations from typed slides. Order: powerpoint_create_presentation first (it returns presentation_id), " +
    "then powerpoint_add_slide for each slide, then powerpoint_save_presentation. Give a slide one message; the answer says what does not fit.",
  prompts: [
    {
      name: "make-deck",
      title: "Make a presentation",
      description: "A presentation of findings, saved as a file.",
      arguments: [
        {
          name: "findings",
          description: "What to present, with sources where there are any",
          required: true,
        },
        { name: "title", description: "Title of the presentation", required: false },
      ],
      text: ({ findings = "", title }) =>
        `Make a presentation${title ? ` titled "${title}"` : ""} of these findings:\n\n${findings}\n\n` +
        "Start with powerpoint_create_presentation. Add one slide for each message with powerpoint_add_slide, with a title that states it, " +
        "and the sources of its statements; use chart slides for series of figures. Add no figure that is not in the findings. " +
        "Correct what the answers name with powerpoint_replace_slide, then save with powerpoint_save_presentation.",
    },
  ],
  open: async ({ home, artifacts, access }) => {
    const store = filePresentationStore({ dir: join(home, "decks"), clock: systemClock, newId });
    const storeOf = storeByCaller(store, access);
    return {
      tools: powerpointTools({ storeOf, artifacts, check: answerCheck }),
      resources: presentationResources(storeOf),
      close: () => Promise.resolve(),
    };
  },
};

/** Serves the tools over MCP until it is closed. */
export function start(config: McpSettings, tools: { readonly log: Log }): Promise<Running> {
  return startMcp(pptMcp, config, tools);
}
