import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent, type RemoteRequest } from "@troupe/a2a/client";
import { serveAgent } from "@troupe/a2a/server";
import { plainClient, plainMessage } from "@troupe/a2a/testing";
import { createAgent, defineTool, silentLog } from "@troupe/core";
import { finishCall, scriptedModel } from "@troupe/core/testing";
import type { AgentEvent, Decision } from "@troupe/stream";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { settings } from "./settings.ts";
import { start } from "./start.ts";

const signal = AbortSignal.timeout(30_000);

function endOf(events: readonly AgentEvent[]) {
  const end = events.at(-1);
  if (end?.type !== "finish" || end.stepId !== undefined) throw new Error("the turn did not end");
  return end;
}

/** An orchestrator whose one agent mails after it was allowed to, and a task that waits for that. */
async function waiting() {
  const home = mkdtempSync(join(tmpdir(), "troupe-ask-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const sent: unknown[] = [];
  const sendMail = defineTool({
    name: "send_mail",
    description: "Sends a mail.",
    input: z.strictObject({ to: z.email() }),
    needsApproval: true,
    execute(mail) {
      sent.push(mail);
      return Promise.resolve({ text: "Sent." });
    },
  });
  const model = scriptedModel([
    { calls: [{ name: "send_mail", arguments: { to: "ann@example.com" } }] },
    { calls: [finishCall("It is sent.")] },
  ]);
  const config = {
    agent_type: "mail",
    name: "mailer",
    title: "Mailer",
    description: "Mails.",
    system_prompt: "Mail.",
  };
  const mailer = await serveAgent({ agent: createAgent(config, { model, tools: [sendMail] }) });
  onTestFinished(() => mailer.close());
  const running = await start(settings.parse({ home, port: 0, agents: [mailer.url] }), { log: silentLog });
  onTestFinished(() => running.close());
  const remote = await connectAgent(running.url, { signal });
  const turn = async (request: RemoteRequest) => {
    const { taskId } = await remote.send({ userId: "ann", ...request }, { signal });
    const events: AgentEvent[] = [];
    for await (const event of remote.join(taskId, { signal })) events.push(event);
    const asked = events.flatMap((event) => (event.type === "input-required" ? event.request : []));
    return { taskId, end: endOf(events), asked };
  };
  const steps = [{ agent: "mailer", instruction: "Mail.", timeout_seconds: 5 }];
  const first = await turn({ text: "Mail.", metadata: { workflow: { version: 1, name: "Mail", steps } } });
  const { taskId } = first;
  const plain = await plainClient(running.url);
  const decide = (requestId: string, ...decisions: Decision[]) =>
    turn({ taskId, reply: { requestId, decisions }, messageId: `${requestId} ${JSON.stringify(decisions)}` });
  return { first, taskId, turn, decide, sent, plain };
}

const request = {
  requestId: "mailer#1",
  kind: "approval",
  calls: [{ callId: expect.any(String), tool: "send_mail", arguments: { to: "ann@example.com" } }],
};

it("asks for an approval through the orchestrator, and takes nothing for one that is none", async () => {
  const { first, taskId, turn, decide, sent, plain } = await waiting();
  expect(first.asked).toEqual([request]);
  expect(first.end.outcome).toBe("input-required");
  const [asked] = first.asked;
  const callId = asked?.kind === "approval" ? (asked.calls[0]?.callId ?? "") : "";

  const yes = { callId, type: "approve" } as const;
  const none = await decide("mailer#1");
  const many = await decide("mailer#1", yes, { ...yes, callId: "another" });
  const twice = await decide("mailer#1", yes, yes);
  const early = await decide("mailer#2", yes);
  const values = await turn({ taskId, reply: { requestId: "mailer#1", values: { reply: "yes" } } });
  const words = await turn({ taskId, text: "Wait: why? Yes: approve." });
  for (const [refused, why] of [
    [none, "was not decided"],
    [many, 'No call "another" waits'],
    [twice, "decided twice"],
    [early, 'does not ask "mailer#2"'],
    [values, "an approval is answered with decisions"],
    [words, "A reply in words cannot approve"],
  ] as const) {
    expect(refused.end).toMatchObject({ outcome: "input-required", error: { code: "input.invalid" } });
    expect(refused.end.error?.message).toContain(why);
    expect(refused.asked).toEqual([request]);
  }
  for (const userId of ["bob", ""])
    await expect(turn({ taskId, text: "yes", userId })).rejects.toMatchObject({ code: "agent.task-lost" });

  // A client that knows nothing of ours reads what is asked, and what was wrong.
  const shown = await plain.getTask({ id: taskId, tenant: "", historyLength: 0 });
  const parts = shown.status?.message?.parts.map(({ content }) => content) ?? [];
  expect(parts).toMatchObject([{ $case: "text" }, { $case: "data", value: request }]);
  expect(parts[0]?.value).toMatch(
    /^A reply in words cannot approve.*\nThis call waits for approval:\n {2}send_mail \{"to":"ann@/s,
  );
  expect(sent).toEqual([]);

  // What the tool does not take is asked again, under an id of its own.
  const bad = await decide("mailer#1", { callId, type: "edit", arguments: { to: "nobody" } });
  expect(bad.asked).toEqual([{ ...request, requestId: "mailer#2" }]);
  expect(bad.end.outcome).toBe("input-required");
  expect(sent).toEqual([]);

  const edit = { callId, type: "edit", arguments: { to: "bob@example.com" } } as const;
  const both = await Promise.all([decide("mailer#2", edit), decide("mailer#2", edit)]);
  for (const { end } of both)
    expect(end).toMatchObject({ outcome: "completed", response: { content: "It is sent." } });
  expect(sent).toEqual([{ to: "bob@example.com" }]);
  await expect(turn({ taskId, text: "again" })).rejects.toThrow("has ended");
});

it("takes words for the values of a form, and asks again where they fill nothing", async () => {
  const home = mkdtempSync(join(tmpdir(), "troupe-ask-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const running = await start(settings.parse({ home, port: 0, agents: [] }), { log: silentLog });
  onTestFinished(() => running.close());
  const plain = await plainClient(running.url);
  const fields = ["audience", "pages"].map((field_name, index) => ({
    field_name,
    ...(index === 0 ? {} : { field_type: "number" }),
  }));
  const board = { field_name: "board", field_type: "select", field_values: ["staff", "visitors"] };
  const steps = [
    { id: "who", kind: "human", instruction: "Who?", form: { title: "Who reads it?", fields } },
    { id: "where", kind: "human", instruction: "Which board?", form: { title: "Board", fields: [board] } },
  ];
  const say = async (text: string, taskId = "", metadata?: object) => {
    const message = plainMessage(text, { taskId });
    if (metadata !== undefined) Object.assign(message.message ?? {}, { metadata });
    const task = await plain.sendMessage(message);
    if ("messageId" in task) throw new Error("not a task");
    const [said] = task.status?.message?.parts ?? [];
    return { id: task.id, state: task.status?.state, said: said?.content?.value as string };
  };
  const asked = await say("Make it.", "", {
    workflow: { version: 1, name: "Ask", steps, final: "synthesize" },
  });
  const form =
    'Who reads it?\nWho?\n- audience: text\n- pages: a number\nReply with one line for each field: "audience: ...", "pages: 5".';
  expect(asked.said).toBe(form);
  const nothing = await say("Why do you ask?", asked.id);
  expect(nothing).toEqual({
    ...asked,
    said: `"Why do you ask?" names no field of this form.\n${form}`,
  });
  const wrong = await say("audience: board\npages: many", asked.id);
  expect(wrong.said).toBe(`pages: "many" is not a number.\n${form}`);
  const next = await say("Audience: the board\npages: 12", asked.id);
  expect(next.said).toBe(
    'Board\nWhich board?\n- board: one of staff, visitors\nReply with the value alone, or with the line "board: staff".',
  );
  const unknown = await say("stff", asked.id);
  expect(unknown.said).toMatch(/^board: "stff" is not one of staff, visitors\.\nBoard\n/);
  const done = await say("Staff.", asked.id);
  expect(done).toMatchObject({ id: asked.id, said: "Completed." });
});
