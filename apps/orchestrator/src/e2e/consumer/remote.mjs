// An agent as its own process: what a person's package would serve.
import { serveAgent } from "@troupe/a2a/server";
import { createAgent } from "@troupe/core";
import { lastUserText, playbookModel } from "@troupe/playbook";

const agent = createAgent(
  {
    agent_type: "echo",
    name: "remote",
    title: "Remote",
    description: "Says that it is far away.",
    system_prompt: "Answer.",
  },
  { model: playbookModel((request) => ({ say: `Far away I read: ${lastUserText(request)}` })) },
);
const served = await serveAgent({ agent });
process.stdout.write(`${served.url}\n`);
process.once("SIGTERM", () => void served.close());
