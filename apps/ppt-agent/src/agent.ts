import { acceptReferences, type AgentState } from "@troupe/core";
import type { AgentDefinition } from "@troupe/service/agent";

import { compactTools, withSlideSchema } from "./compact-tools.ts";
import { systemPrompt } from "./prompt.ts";
import { reviewPresentations } from "./review-presentations.ts";

/** The ppt-agent: presentations out of findings, with native charts and a source for every claim. */
export const pptAgent: AgentDefinition = {
  config: {
    agent_type: "ppt",
    name: "ppt-agent",
    title: "Presentation agent",
    description:
      "Makes and changes PowerPoint presentations from findings and figures of earlier steps, with native charts, notes and sources. Looks up nothing itself.",
    version: "0.1.0",
    skills: [
      {
        id: "make-presentation",
        name: "Make a presentation",
        description: "Turns findings with citations and charts into a .pptx file.",
        tags: ["presentation", "deck", "slides", "powerpoint"],
        examples: ["Make a deck about these findings.", "Prepare slides with the sales charts."],
      },
    ],
    tools: [],
    system_prompt: systemPrompt,
    mcp_servers: [{ name: "ppt-mcp", url: "http://127.0.0.1:8085/mcp" }],
    max_iterations: 15,
    response_mode: "finish",
    limits: {},
  },
  adapt: (source, options) =>
    compactTools(reviewPresentations(acceptReferences(withSlideSchema(source)), options)),
  finishRule: leftToDo,
};

const CHANGES: ReadonlySet<string> = new Set(
  ["add", "replace", "delete", "move"].map((what) => `powerpoint_${what}_slide`),
);

/** What is left to do before an answer may say that there is a presentation. */
function leftToDo({ calls }: Pick<AgentState, "calls">): string | undefined {
  const done = calls.filter(({ status }) => status === "ok").map(({ tool }) => tool);
  const used = done.filter(
    (tool) => tool.startsWith("powerpoint_") && tool !== "powerpoint_create_presentation",
  );
  if (used.length === 0)
    return "No slide was added, changed or read, so the person has no file. Make the presentation with the powerpoint tools and save it first.";
  const changed = done.findLastIndex((tool) => CHANGES.has(tool));
  return changed > done.lastIndexOf("powerpoint_save_presentation")
    ? "Slides were changed and not saved, so the person has no file with them. Call powerpoint_save_presentation first."
    : undefined;
}
