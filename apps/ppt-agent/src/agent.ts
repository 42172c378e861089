import { acceptReferences } from "@troupe/core";
import type { AgentDefinition } from "@troupe/service/agent";

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
  adapt: (source, options) => reviewPresentations(acceptReferences(source), options),
};
