import { acceptReferences } from "@troupe/core";
import type { AgentDefinition } from "@troupe/service/agent";

import { systemPrompt } from "./prompt.ts";

/** The data-agent: figures from tables, with the statement behind each and a chart that fits. */
export const dataAgent: AgentDefinition = {
  config: {
    agent_type: "data",
    name: "data-agent",
    title: "Data agent",
    description:
      "Answers questions from the data tables of a collection by SQL: totals, trends, comparisons, rankings and charts. Reads no documents.",
    version: "0.1.0",
    skills: [
      {
        id: "answer-from-data",
        name: "Answer from data",
        description: "Queries tables, analyses results and makes charts of sales, revenue and other figures.",
        tags: ["data", "sql", "figures", "charts", "analysis"],
        examples: ["Show revenue by quarter.", "Which products sell best?"],
      },
    ],
    system_prompt: systemPrompt,
    mcp_servers: [{ name: "data-mcp", url: "http://127.0.0.1:8090/mcp" }],
    max_iterations: 10,
    response_mode: "finish",
  },
  adapt: (source) => acceptReferences(source),
};
