import type { AgentDefinition } from "@troupe/service/agent";

import { playbook } from "./playbook.ts";
import { postNotice } from "./post-notice.ts";
import { systemPrompt } from "./prompt.ts";

/** @param file the boards, one notice a line */
export const noticeAgent = (file: string): AgentDefinition => ({
  config: {
    agent_type: "notices",
    name: "notice-agent",
    title: "Notice agent",
    description: "Puts notices on the boards of the office, after a person has approved them.",
    skills: [
      {
        id: "post-notice",
        name: "Post notices",
        description: "Puts a notice on the staff board or the visitors board.",
        tags: ["notice", "board"],
        examples: ['Post "The office is closed on Friday." on the staff board'],
      },
    ],
    system_prompt: systemPrompt,
  },
  playbook,
  tools: [postNotice(file)],
});
