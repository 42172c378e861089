import { defineTool } from "@troupe/core";
import { finishCall, toolResults, type Playbook } from "@troupe/playbook";
import { z } from "zod";

import type { AgentDefinition } from "../agent/start-agent.ts";
import type { McpDefinition } from "../mcp/start-mcp.ts";

/** Writes a note and finishes with what came of it. */
const playbook: Playbook = (request) => {
  const note = toolResults(request, "note").at(-1);
  if (note === undefined) return { calls: [{ name: "note", arguments: {} }] };
  return { calls: [finishCall({ content: note.isError ? "No note." : note.text, complete: !note.isError })] };
};

/** An agent that may use one of the tools of `notesMcp`. */
export const notesAgent: AgentDefinition = {
  config: {
    agent_type: "notes",
    name: "notes-agent",
    title: "Notes",
    description: "Keeps notes.",
    system_prompt: "Keep notes.",
    // Nobody listens there: where the server is, the settings say.
    mcp_servers: [{ name: "notes-mcp", url: "http://127.0.0.1:1/mcp", tools: ["note"] }],
  },
  playbook,
};

/** Keeps a note for whoever asks, as a file of theirs that says whose it is. */
export const notesMcp: McpDefinition = {
  name: "notes-mcp",
  version: "1.0.0",
  instructions: "",
  open: ({ artifacts }) => {
    const input = z.object({});
    const note = defineTool({
      name: "note",
      description: "Keeps a note.",
      input,
      async execute(_input, { userId }) {
        const whose = userId ?? "nobody";
        const meta = { name: "note.txt", mediaType: "text/plain", owner: userId ?? "" };
        const bytes = new TextEncoder().encode(`of ${whose}`);
        return { text: `Kept for ${whose}.`, artifacts: [await artifacts.put(bytes, meta)] };
      },
    });
    const hidden = defineTool({
      name: "hidden",
      description: "Not for this agent.",
      input,
      execute: () => Promise.resolve({ text: "" }),
    });
    return Promise.resolve({ tools: [note, hidden], close: () => Promise.resolve() });
  },
};
