import { createAgent, type Agent } from "@troupe/core";
import { finishCall, lastUserText, playbookModel } from "@troupe/playbook";

/** An agent without tools that answers what `reply` makes of the text it is asked. */
export function localAgent(name: string, reply: (text: string) => string): Agent {
  return createAgent(
    {
      agent_type: "local",
      name,
      title: name,
      description: `Answers by a fixed rule. For examples.`,
      system_prompt: "Answer.",
    },
    {
      model: playbookModel((request) => ({ calls: [finishCall({ content: reply(lastUserText(request)) })] })),
    },
  );
}
