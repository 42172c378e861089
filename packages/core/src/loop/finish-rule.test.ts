import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import type { FinishRule } from "./agent-state.ts";
import { defineTool } from "../tools/define-tool.ts";
import { finishCall, runAgent, scriptedModel, testConfig } from "../testing/index.ts";
import { z } from "zod";

const tool = (name: string) =>
  defineTool({
    name,
    description: name,
    input: z.strictObject({}),
    execute: () => Promise.resolve({ text: "Done." }),
  });
const tools = [tool("change"), tool("save")];
const finishRule: FinishRule = ({ calls }) => {
  const names = calls.map((call) => call.tool);
  return names.lastIndexOf("change") > names.lastIndexOf("save") ? "Call save first." : undefined;
};
const call = (name: string) => ({ name, arguments: {} });
const textOf = (message: { readonly role: string } | undefined): string => JSON.stringify(message);

describe("an agent with a finish rule", () => {
  it("sends an answer back once, with what is left to do", async () => {
    const model = scriptedModel([
      { calls: [call("change")] },
      { calls: [finishCall("Made.")] },
      { calls: [call("save")] },
      { calls: [finishCall("Made and saved.")] },
    ]);
    const events = await runAgent(createAgent(testConfig, { model, tools, finishRule }));
    expect(textOf(model.requests[2]?.messages.at(-1))).toContain("finish was refused. Call save first.");
    expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "Made and saved." } });
  });

  it.each(["finish", "marker", "structured"] as const)(
    "is partial in mode %s where the model leaves it undone",
    async (response_mode) => {
      const answer = { text: "[FINAL ANSWER]\nMade a long enough answer to be one." };
      const rounds = {
        finish: [{ calls: [finishCall("Made.")] }, { calls: [finishCall("Made.")] }],
        marker: [answer, answer],
        structured: [
          { text: "Made." },
          { text: "Made." },
          { text: JSON.stringify({ is_task_complete: true, require_user_input: false, content: "Made." }) },
        ],
      };
      const model = scriptedModel([{ calls: [call("change")] }, ...rounds[response_mode]]);
      const events = await runAgent(
        createAgent({ ...testConfig, response_mode }, { model, tools, finishRule }),
      );
      expect(textOf(model.requests[2]?.messages.at(-1))).toContain("Call save first.");
      expect(events.at(-1)).toMatchObject({
        outcome: "partial",
        error: { code: "agent.unfinished", message: "Call save first." },
      });
    },
  );
});

describe("a file that a tool rewrites", () => {
  it("is delivered once, in its last revision, when the run ends", async () => {
    let round = 0;
    const save = defineTool({
      name: "save",
      description: "Saves.",
      input: z.strictObject({}),
      execute: () => {
        round++;
        const id = `file-${round}`;
        const sha256 = String(round).repeat(64);
        const artifact = { id, name: "a.pptx", mediaType: "x/y", bytes: 1, sha256, url: `/${id}` };
        return Promise.resolve({ text: "Saved.", revisions: [{ of: "deck", artifact }] });
      },
    });
    const model = scriptedModel([
      { calls: [call("save")] },
      { calls: [call("save")] },
      { calls: [finishCall("Saved.")] },
    ]);
    const events = await runAgent(createAgent(testConfig, { model, tools: [save] }));
    const files = events.flatMap((event) => (event.type === "artifact" ? [event.artifact.id] : []));
    expect(files).toEqual(["file-2"]);
  });

  it("is kept for a run that is canceled or fails after it was written", async () => {
    const artifact = { id: "f", name: "a", mediaType: "x/y", bytes: 1, sha256: "a".repeat(64), url: "/f" };
    const save = defineTool({
      name: "save",
      description: "Saves.",
      input: z.strictObject({}),
      execute: () => Promise.resolve({ text: "Saved.", revisions: [{ of: "deck", artifact }] }),
    });
    const model = scriptedModel([{ calls: [call("save")] }, { fail: new Error("gone") }]);
    const events = await runAgent(createAgent(testConfig, { model, tools: [save] }));
    expect(events.filter(({ type }) => type === "artifact")).toMatchObject([{ artifact: { id: "f" } }]);
  });
});
