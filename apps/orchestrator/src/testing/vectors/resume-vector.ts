import type { SendMessageRequest } from "@a2a-js/sdk";
import { createAgent, defineTool, type Model, type ModelRequest } from "@troupe/core";
import { instantClock } from "@troupe/core/testing/virtual-clock";
import { captureWire, plainMessage, withServed } from "@troupe/a2a/testing";
import type { Decision, Json } from "@troupe/stream";
import { z } from "zod";

import { replySchema, type GivenDecision } from "./hitl-schema.ts";
import type { Actual, RunVector } from "./vector.ts";
import { wireLines } from "./wire-lines.ts";

const DEFAULT_TOOL = "action";
/** A line of a text that looks like the field of a form. The case has the text only, not the form. */
const FIELD_LINE = /^([a-z][a-z0-9_]*):/gm;

interface Asked {
  readonly calls: readonly { readonly callId: string; readonly tool: string }[];
  readonly fields: readonly string[];
}

/**
 * A real agent asks, by approval for decisions and by form for words; then the case's answer comes
 * over the wire, and the agent goes on.
 */
export const resumeVector: RunVector = async (vector) => {
  const { user_parts = [], user_text = "", agent_events } = replySchema.parse(vector);
  const resumed = user_parts.flatMap(({ data }) => data?.resume ?? []);
  const given = resumed.flatMap(({ decisions }) => decisions);
  const words = [user_text, ...user_parts.map(({ text }) => text ?? "")].filter(Boolean).join("\n");
  const asked: Asked = {
    calls: given.map((decision, at) => ({
      callId: `i${at + 1}`,
      tool: decision.edited_action?.name ?? DEFAULT_TOOL,
    })),
    fields: [...new Set([...words.matchAll(FIELD_LINE)].map(([, name = ""]) => name))],
  };
  const says = agent_events.map(({ content }) => content ?? "").join("");
  const requests: ModelRequest[] = [];
  const ran = new Map<string, Json>();
  const agent = askingAgent(asked, says, requests, ran);
  return withServed({ agent }, async ({ url }) => {
    const first = await captureWire(url, plainMessage("Go."));
    const task = first.find((event) => event.$case === "task");
    if (task?.$case !== "task") throw new Error("The agent opened no task.");
    const { id: taskId, contextId } = task.value;
    const reply = plainMessage(words, { taskId, contextId });
    if (resumed.length > 0) decide(reply, first, asked, given);
    const events = await captureWire(url, reply).then(wireLines, refusal);
    const call = resumed.length === 0 ? filledIn(requests, asked) : decided(given, asked, ran, requests);
    return { expect: events, ...call };
  });
};

/** The request itself was turned away; the task waits as before. */
function refusal(error: unknown): { readonly throws: string } {
  return { throws: error instanceof Error ? error.message : String(error) };
}

/** Asks in its first round, and answers in the next. */
function askingAgent(
  { calls, fields }: Asked,
  says: string,
  requests: ModelRequest[],
  ran: Map<string, Json>,
) {
  const form = {
    content: "Please fill this in.",
    is_task_complete: false,
    require_user_input: true,
    input_fields: ["first", "second", ...fields].map((field_name) => ({ field_name, required: false })),
  };
  const asking =
    calls.length > 0
      ? calls.map(({ callId, tool }) => ({ callId, name: tool, args: {} as object }))
      : [{ callId: "f1", name: "finish", args: form }];
  const answering = [
    {
      callId: "a1",
      name: "finish",
      args: { content: says, is_task_complete: true, require_user_input: false },
    },
  ];
  const model: Model = {
    id: "vector",
    async *stream(request) {
      requests.push(request);
      for (const { callId, name, args } of requests.length > 1 ? answering : asking) {
        yield { type: "tool-call-start", callId, name };
        yield { type: "tool-call-delta", callId, delta: JSON.stringify(args) };
        yield { type: "tool-call-end", callId };
      }
      yield { type: "stop", reason: "tool-calls" };
    },
  };
  const tools = [...new Set(calls.map(({ tool }) => tool))].map((name) =>
    defineTool({
      name,
      description: "Part of the case.",
      input: z.looseObject({}),
      execute: (args, { callId }) => {
        ran.set(callId, z.json().parse(args));
        return Promise.resolve({ text: "done" });
      },
    }),
  );
  return createAgent(
    {
      agent_type: "vector",
      name: "vector",
      title: "Vector",
      description: "Plays one case.",
      system_prompt: "Play.",
      approve: ["*"],
    },
    { model, tools, clock: instantClock },
  );
}

/** Puts the decisions into the reply, one for each call in their order. */
function decide(
  reply: SendMessageRequest,
  first: Awaited<ReturnType<typeof captureWire>>,
  { calls }: Asked,
  given: readonly GivenDecision[],
): void {
  const requestId = first.flatMap((event) => {
    const parts = event.$case === "artifactUpdate" ? (event.value.artifact?.parts ?? []) : [];
    return parts.flatMap(({ content }) => {
      const asked = z.object({ request_id: z.string() }).safeParse(content?.value);
      return asked.success ? [asked.data.request_id] : [];
    });
  })[0];
  const decisions = given.map((decision, at) => decisionOf(decision, calls[at]?.callId ?? ""));
  const [part] = reply.message?.parts ?? [];
  if (part !== undefined) part.content = { $case: "data", value: { requestId, decisions } };
}

/** The same decision here; a type that is not known stays what it is, for the agent to refuse. */
function decisionOf(given: GivenDecision, callId: string): Decision | { callId: string; type: string } {
  const { type, message, args, edited_action } = given;
  // An edit without arguments is none, and as it is it is refused.
  if (type === "edit" && edited_action) return { callId, type, arguments: edited_action.args };
  if (type === "reject") return { callId, type, reason: message ?? "" };
  // An answer in words in the place of the call: it is not run, and the agent reads the words.
  if (type === "response") return { callId, type: "reject", reason: typeof args === "string" ? args : "" };
  return { callId, type };
}

/** What the agent went on with; null where it was not let go on. */
function decided(
  given: readonly GivenDecision[],
  { calls }: Asked,
  ran: ReadonlyMap<string, Json>,
  requests: readonly ModelRequest[],
): Actual {
  if (requests.length < 2) return { expect_call: null };
  const decisions = given.map((decision, at) => {
    const { callId = "", tool = "" } = calls[at] ?? {};
    const args = ran.get(callId);
    if (args === undefined) return { type: "reject", message: decision.message ?? decision.args ?? "" };
    if (decision.type !== "edit") return { type: "approve" };
    return { type: "edit", edited_action: { name: tool, args } };
  });
  return { expect_call: { resume: { decisions }, update: {} } };
}

/** The values the agent was told, where the text filled the form. */
function filledIn(requests: readonly ModelRequest[], { fields }: Asked): Actual {
  const told = requests[1]?.messages.flatMap((message) =>
    message.role === "tool" ? message.results.map(({ text }) => text) : [],
  );
  const lines = (told ?? []).join("\n").split("\n");
  const values = fields.flatMap((name) => {
    const line = lines.find((one) => one.includes(`(${name}): `) || one.startsWith(`- ${name}: `));
    return line === undefined ? [] : [[name, line.slice(line.indexOf(": ") + 2)] as const];
  });
  if (values.length === 0) return {};
  const user_inputs = Object.fromEntries(values);
  const edited_action = { name: "finish", args: { args: { user_inputs, metadata: {} } } };
  return { expect_call: { resume: { decisions: [{ type: "approve", edited_action }] } } };
}
