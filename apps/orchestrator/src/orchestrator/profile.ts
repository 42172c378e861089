import type { AgentProfile } from "@troupe/core";

/** What the orchestrator says of itself, on its card and in its events. */
export const profile: AgentProfile = {
  name: "orchestrator",
  title: "Troupe orchestrator",
  description:
    "Plans a workflow for a task, runs it on specialist agents, and answers with sources and files.",
  version: "0.1.0",
  skills: [
    {
      id: "orchestrate",
      name: "Run a task on several agents",
      description: "Research in documents, figures from data, and presentations, in one request.",
      tags: ["orchestration", "workflow"],
      examples: [
        "Create a presentation about our AI strategy based on our documents, with the sales figures",
      ],
    },
  ],
};
