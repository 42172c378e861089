// A tool that a person decides about, and a middleware of one's own that keeps its calls polite.
import assert from "node:assert/strict";

import { createAgent, defineTool, type AgentRequest, type Middleware } from "@troupe/core";
import { finishCall, playbookModel, toolResults } from "@troupe/playbook";
import type { AgentEvent } from "@troupe/stream";
import { z } from "zod";

const sent: string[] = [];

const sendMail = defineTool({
  name: "send_mail",
  description: "Sends a mail to the team.",
  input: z.strictObject({ text: z.string() }),
  needsApproval: true,
  async execute({ text }) {
    sent.push(text);
    return { text: "Sent." };
  },
});

/** Nothing goes out in capital letters. */
const noShouting: Middleware = {
  name: "no-shouting",
  fillArguments({ tool, arguments: args }) {
    if (tool.definition.name !== "send_mail") return undefined;
    const { text } = z.object({ text: z.string() }).parse(args);
    return { arguments: { text: text.toLowerCase() } };
  },
};

const model = playbookModel((request) => {
  const mail = toolResults(request, "send_mail").at(-1);
  if (mail === undefined) return { calls: [{ name: "send_mail", arguments: { text: "THE DECK IS READY" } }] };
  return { calls: [finishCall({ content: mail.isError ? "Not sent." : "The team knows." })] };
});

const agent = createAgent(
  {
    agent_type: "mail",
    name: "mail-agent",
    title: "Mail",
    description: "Writes to the team.",
    system_prompt: "Tell the team with send_mail.",
  },
  { model, tools: [sendMail], middleware: [noShouting] },
);

async function turn(request: Partial<AgentRequest>): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  const whole = { runId: "run-1", text: "", history: [], ...request };
  for await (const event of agent.run(whole, { signal: AbortSignal.timeout(10_000) })) events.push(event);
  return events;
}

const asked = (await turn({ text: "Tell the team." })).find((event) => event.type === "input-required");
assert(asked?.type === "input-required" && asked.request.kind === "approval");
const { requestId, calls } = asked.request;
process.stdout.write(`${JSON.stringify(calls)}\n`);
assert.deepEqual(calls[0]?.arguments, { text: "the deck is ready" });

// Words decide nothing: the same is asked again, under a new id.
const again = (await turn({ text: "yes" })).find((event) => event.type === "input-required");
assert(again?.type === "input-required" && again.request.requestId !== requestId);
assert.deepEqual(sent, []);

const decisions = calls.map(({ callId }) => ({ callId, type: "approve" as const }));
const finish = (await turn({ reply: { requestId: again.request.requestId, decisions } })).at(-1);
assert(finish?.type === "finish");
assert.equal(finish.response.content, "The team knows.");
assert.deepEqual(sent, ["the deck is ready"]);
