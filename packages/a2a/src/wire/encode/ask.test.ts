import { TaskState, type Message } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import { EMPTY_RESPONSE, type AgentEventBody, type InputRequest } from "@troupe/stream";
import { expect, it } from "vitest";

import { createLedger } from "../ledger.ts";
import { dataOf, textOf, type WireEvent } from "../parts.ts";
import { createEncoder } from "./encoder.ts";

const call = (callId: string, tool: string, args: object) => ({ callId, tool, arguments: { ...args } });
const approval = (requestId: string, ...calls: ReturnType<typeof call>[]): InputRequest => ({
  requestId,
  kind: "approval",
  calls,
});
const form = {
  requestId: "f",
  kind: "form",
  form: { title: "Which year?", description: "", fields: [] },
} as const;

type Body = AgentEventBody & { readonly stepId?: string };

/** The artifacts and the last status of a turn with these events. */
function wire(...bodies: readonly Body[]) {
  const artifacts: { readonly name: string; readonly data: unknown }[] = [];
  let end: { readonly state: TaskState; readonly message: Message | undefined } | undefined;
  const task = { id: "t", contextId: "c" };
  const emit = (event: WireEvent): void => {
    if (event.$case !== "artifactUpdate" || event.value.artifact === undefined) return;
    const { name, parts } = event.value.artifact;
    artifacts.push({ name, data: dataOf(parts)[0] });
  };
  const encoder = createEncoder({
    task,
    ledger: createLedger({ task, emit }),
    status: (state, message) => (end = { state, message }),
    clock: virtualClock(),
    newId: () => "m",
    turn: 1,
  });
  for (const [seq, body] of bodies.entries())
    encoder.push({ v: 1, runId: "r", seq, attempt: 1, agent: "a", ...body });
  const parts = end?.message?.parts ?? [];
  return { artifacts, state: end?.state, text: textOf(parts), data: dataOf(parts) };
}

const waits = (own: Partial<typeof EMPTY_RESPONSE.metadata> = {}, message?: string): Body => ({
  type: "finish",
  outcome: "input-required",
  response: { ...EMPTY_RESPONSE, metadata: { ...EMPTY_RESPONSE.metadata, ...own } },
  answerItems: [],
  ...(message === undefined ? {} : { error: { code: "input.invalid", message } }),
});
const asks = (request: InputRequest, stepId?: string): Body => ({
  type: "input-required",
  request,
  ...(stepId === undefined ? {} : { stepId }),
});

it("tells a plain client in words which calls wait, and any client as data", () => {
  const request = approval("q", call("c1", "send_mail", { to: "ann", text: "x".repeat(1_000) }));
  const { artifacts, state, text, data } = wire(asks(request), waits());
  expect(state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(text).toMatch(/^This call waits for approval:\n {2}send_mail \{"to":"ann","text":"x+… \(c1\)\n/);
  expect(text).toContain('\n{"requestId":"q","decisions":[{"callId":"c1","type":"approve"}]}\n');
  expect(text.length).toBeLessThan(700);
  expect(data).toEqual([request]);
  expect(artifacts).toMatchObject([
    {
      name: "UserInputMetaData",
      data: { user_input: true, request_id: "q", tool_calls: [{ id: "c1", name: "send_mail" }] },
    },
  ]);
});

it("names ten calls in words and all as data", () => {
  const calls = Array.from({ length: 12 }, (_, index) => call(`c${index}`, "delete_file", { index }));
  const { text, data } = wire(asks(approval("q", ...calls)), waits());
  expect(text).toContain('delete_file {"index":9} (c9)\n  and 2 more\n');
  expect(data).toEqual([approval("q", ...calls)]);
});

it("tells what the steps of a run ask and have no answer to, and what was wrong with the last one", () => {
  const mail = approval("b#1", call("c1", "send_mail", {}));
  const { text, data } = wire(
    asks(form, "a"),
    asks(approval("gone", call("c0", "old", {})), "c"),
    { type: "step-status", step: "c", state: "in_progress" },
    asks(mail, "b"),
    waits({}, 'Year: "x" is not a number.'),
  );
  expect(data).toEqual([form, mail]);
  expect(text).toMatch(
    /^Year: "x" is not a number\.\nWhich year\?\nReply with a data part such as \{"requestId":"f","values":\{\}\}\n\nThis call waits for approval:\n {2}send_mail \{\}/,
  );
});

it("puts the question, its options and how to reply into the status text", () => {
  const field = {
    field_name: "board",
    field_label: "Board",
    field_description: "",
    field_type: "select",
    field_values: ["staff", "visitors"],
    default_value: null,
    placeholder: "",
    required: true,
  } as const;
  const asked: InputRequest = {
    requestId: "f",
    kind: "form",
    form: { title: "Notice agent", description: "Which board?", fields: [field] },
  };
  const form = "Which board?\n- board (Board): one of staff, visitors\n";
  const reply = 'Reply with the value alone, or with the line "board: staff".';
  expect(wire(asks(asked), waits()).text).toBe(form + reply);
  expect(wire(asks(asked, "post"), waits()).text).toBe(`Notice agent\n${form}${reply}`);
  const data = 'Reply with a data part such as {"requestId":"f","values":{"board":"staff"}}';
  const [first, second] = wire(asks(asked, "a"), asks(asked, "b"), waits()).text.split("\n\n");
  expect([first, second]).toEqual([`Notice agent\n${form}${data}`, `Notice agent\n${form}${data}`]);
});
