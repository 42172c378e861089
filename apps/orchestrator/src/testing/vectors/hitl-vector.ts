import { parseResponse } from "@troupe/core";
import { captureWire, plainMessage, responseOf, scriptedAgent, withServed } from "@troupe/a2a/testing";
import type { AgentEventBody, InputForm, InputRequest } from "@troupe/stream";
import type { z } from "zod";

import { askEventsSchema } from "./hitl-schema.ts";
import type { RunVector } from "./vector.ts";
import { wireLines } from "./wire-lines.ts";

type AskEvent = z.output<typeof askEventsSchema>[number];

/** What an agent that asks a person puts on the wire; what it says after that is dropped. */
export const hitlVector: RunVector = async (vector) => {
  const events = askEventsSchema.parse(vector["agent_events"]);
  const agent = scriptedAgent(() => events.flatMap(bodiesOf));
  return withServed({ agent }, async ({ url }) => ({
    expect: wireLines(await captureWire(url, plainMessage("Go."))),
  }));
};

function bodiesOf(event: AskEvent, at: number): readonly AgentEventBody[] {
  if (event.event_type === "interrupt") return asking(event);
  const itemId = `t${at}`;
  return [
    { type: "text-start", itemId, role: "answer" },
    { type: "text-delta", itemId, delta: event.content ?? "" },
    { type: "text-end", itemId },
  ];
}

function asking(event: AskEvent): readonly AgentEventBody[] {
  const calls = event.tool_calls ?? [];
  const response = responseOf("", { is_task_complete: false, require_user_input: true });
  for (const { args } of calls) {
    const form = formOf(args);
    if (form === undefined) continue;
    const content = typeof args["response"] === "string" ? args["response"] : "";
    const metadata = { user_input: true, question: content, input_fields: form.fields };
    return waiting({ requestId: "r1", kind: "form", form }, { ...response, metadata });
  }
  const pending = calls.map(({ name, id, args }, at) => ({
    callId: id ?? `i${at + 1}`,
    tool: name,
    arguments: args,
  }));
  return waiting({ requestId: "r1", kind: "approval", calls: pending }, response);
}

function waiting(request: InputRequest, response: ReturnType<typeof responseOf>): readonly AgentEventBody[] {
  return [
    { type: "input-required", request },
    { type: "finish", outcome: "input-required", response, answerItems: [] },
  ];
}

/** A call whose arguments describe a form asks for it to be filled in. */
function formOf(args: { readonly [key: string]: unknown }): InputForm | undefined {
  const metadata = args["metadata"];
  if (typeof metadata !== "object" || metadata === null || !("input_fields" in metadata)) return undefined;
  const text = (key: string): string => {
    const value: unknown = Reflect.get(metadata, key);
    return typeof value === "string" ? value : "";
  };
  const { response } = parseResponse({ require_user_input: true, content: "", metadata });
  return {
    title: text("input_title"),
    description: text("input_description"),
    fields: response.metadata.input_fields,
  };
}
