import type { AgentDefinition } from "@troupe/service/agent";

import { convertTemperature } from "./convert-temperature.ts";
import { playbook } from "./playbook.ts";
import { systemPrompt } from "./prompt.ts";

export const unitsAgent: AgentDefinition = {
  config: {
    agent_type: "units",
    name: "units-agent",
    title: "Units agent",
    description: "Converts temperatures between Celsius and Fahrenheit.",
    skills: [
      {
        id: "convert-temperature",
        name: "Convert temperatures",
        description: "Turns degrees Celsius into Fahrenheit and back.",
        tags: ["units", "conversion", "temperature"],
        examples: ["How much is 20 °C in Fahrenheit?"],
      },
    ],
    system_prompt: systemPrompt,
  },
  playbook,
  tools: [convertTemperature],
};
