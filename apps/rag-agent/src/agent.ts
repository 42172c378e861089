import type { AgentDefinition } from "@troupe/service/agent";

import { systemPrompt } from "./prompt.ts";
import { citeSources } from "./tools/cite-sources.ts";
import { showOnce } from "./tools/show-once.ts";

/** The rag-agent: answers from documents, every statement with its source. */
export const ragAgent: AgentDefinition = {
  config: {
    agent_type: "rag",
    name: "rag-agent",
    title: "Document agent",
    description:
      "Answers questions from the documents of a collection, such as reports, plans, policies and minutes, with the page of every statement. Reads no data tables.",
    version: "0.1.0",
    skills: [
      {
        id: "answer-from-documents",
        name: "Answer from documents",
        description:
          "Finds passages in Markdown, text, PDF and DOCX files and answers from them with citations.",
        tags: ["documents", "retrieval", "search", "citations", "summary"],
        examples: ["What does our travel policy say about trains?", "Summarise our AI strategy."],
      },
    ],
    tools: ["cite_sources"],
    system_prompt: systemPrompt,
    mcp_servers: [
      {
        name: "rag-mcp",
        url: "http://127.0.0.1:8095/mcp",
        tools: ["rag_search", "rag_outline", "rag_get_page", "rag_list_documents"],
      },
    ],
    max_iterations: 10,
    response_mode: "finish",
    limits: {},
  },
  tools: [citeSources],
  adapt: (source) => showOnce(source),
};
