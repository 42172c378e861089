import type { AccessRequest } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { AccessError } from "../errors/access-error.ts";
import { memorySuspendedRuns } from "../suspend/memory-suspended-runs.ts";
import { finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { virtualClock } from "../testing/virtual-clock.ts";

const calendar: AccessRequest = {
  service: "the calendar",
  url: "https://calendar.example/grant?for=troupe",
  scopes: ["read"],
};

/** An agent whose tool works once access was granted. */
function setup(steps: readonly ScriptedStep[], access = calendar, approve: readonly string[] = []) {
  let granted = false;
  const look = echoTool("look", (text) => {
    if (!granted) throw new AccessError(access);
    return { text: `seen ${text}` };
  });
  const model = scriptedModel(steps);
  const suspended = memorySuspendedRuns();
  let ids = 0;
  const make = () =>
    createAgent(
      { ...testConfig, approve: [...approve] },
      { model, clock: virtualClock(), suspended, tools: [look], newId: () => `id-${++ids}` },
    );
  return { make, model, grant: () => (granted = true) };
}

const look = { calls: [{ name: "look", arguments: { text: "Friday" } }] };

describe("a tool that lacks access", () => {
  it("has the person asked for it, and is called again once they have granted it", async () => {
    const { make, model, grant } = setup([look, look, { calls: [finishCall("You are free.")] }]);
    const asked = await runAgent(make(), { text: "Am I free?" });
    expect(asked.find((event) => event.type === "input-required")).toMatchObject({
      request: {
        requestId: "id-1",
        kind: "form",
        form: {
          title: "Access to the calendar",
          description:
            "Access to the calendar is needed to go on (read). " +
            "Grant it at https://calendar.example/grant?for=troupe, then answer here.",
          access: calendar,
        },
      },
    });
    expect(finishOf(asked)).toMatchObject({ outcome: "input-required" });

    grant();
    const reply = { requestId: "id-1", values: { granted: true } };
    const events = await runAgent(make(), { text: "", reply });
    expect(finishOf(events)).toMatchObject({ outcome: "completed", response: { content: "You are free." } });
    expect(model.requests.at(1)?.messages.slice(-3)).toMatchObject([
      {
        role: "tool",
        results: [{ isError: true, text: expect.stringContaining("asked to grant it") as unknown }],
      },
      { role: "assistant" },
      { role: "user", text: expect.stringContaining("granted): true") as unknown },
    ]);
  });

  it("asks again when it still has none, and the model hears words that grant nothing", async () => {
    const { make, model } = setup([look, look, { calls: [finishCall("Never mind.")] }]);
    await runAgent(make(), { text: "Am I free?" });
    const again = await runAgent(make(), {
      text: "",
      reply: { requestId: "id-1", values: { granted: true } },
    });
    expect(finishOf(again)).toMatchObject({ outcome: "input-required" });
    const events = await runAgent(make(), { text: "I would rather not." });
    expect(finishOf(events)).toMatchObject({ outcome: "completed" });
    expect(model.requests.at(2)?.messages.at(-1)).toMatchObject({ text: "I would rather not." });
  });

  it("asks after an approved call, too", async () => {
    const { make } = setup([look], calendar, ["look"]);
    const waiting = await runAgent(make(), { text: "Am I free?" });
    const request = waiting.find((event) => event.type === "input-required")?.request;
    if (request?.kind !== "approval") throw new Error("no approval was asked for");
    const decisions = request.calls.map(({ callId }) => ({ callId, type: "approve" as const }));
    const asked = await runAgent(make(), { text: "", reply: { requestId: request.requestId, decisions } });
    expect(asked.find((event) => event.type === "input-required")).toMatchObject({
      request: { form: { access: calendar } },
    });
  });

  it("is shown no address that is no web page", async () => {
    for (const url of ["javascript:alert(1)", "file:///etc/passwd", "no address"]) {
      const { make } = setup([look], { service: "it", url });
      const asked = await runAgent(make(), { text: "Am I free?" });
      expect(JSON.stringify(asked)).not.toContain(url);
      expect(asked.find((event) => event.type === "input-required")).toMatchObject({
        request: { form: { access: { service: "it" } } },
      });
    }
  });
});
