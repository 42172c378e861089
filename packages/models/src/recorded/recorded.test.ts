import type { Log, Model, ModelEvent, ModelMessage, ModelRequest } from "@troupe/core";
import { silentLog } from "@troupe/core";
import { scriptedModel } from "@troupe/core/testing";
import { describe, expect, test } from "vitest";

import { parseRecording, type RecordedTurn } from "./recording.ts";
import { recordModel } from "./record-model.ts";
import { replayModel } from "./replay-model.ts";

const SIGNAL = new AbortController().signal;

function request(...messages: readonly ModelMessage[]): ModelRequest {
  return {
    system: "",
    messages: [{ role: "user", text: "Make a deck about pilots." }, ...messages],
    tools: [],
  };
}

function made(id: string): readonly ModelMessage[] {
  return [
    { role: "assistant", text: "", toolCalls: [{ callId: "c1", name: "create", arguments: "{}" }] },
    {
      role: "tool",
      results: [{ callId: "c1", name: "create", text: `presentation_id: ${id}`, isError: false }],
    },
  ];
}

async function answer(
  model: Model,
  asked: ModelRequest,
): Promise<{ text: string; calls: readonly string[] }> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, { signal: SIGNAL })) events.push(event);
  const text = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
  const calls = events.flatMap((event) => (event.type === "tool-call-start" ? [event.callId] : []));
  return {
    text,
    calls: calls.map((callId) =>
      events
        .flatMap((event) =>
          event.type === "tool-call-delta" && event.callId === callId ? [event.delta] : [],
        )
        .join(""),
    ),
  };
}

async function record(): Promise<readonly RecordedTurn[]> {
  const lines: string[] = [];
  const model = recordModel(
    scriptedModel([
      { text: "Starting.", calls: [{ name: "create", arguments: {} }] },
      { calls: [{ name: "save", arguments: { presentation_id: "p-3ab66529bd2d" } }] },
    ]),
    { agent: "ppt-agent", write: (line) => lines.push(line) },
  );
  await answer(model, request());
  await answer(model, request(...made("p-3ab66529bd2d")));
  return parseRecording(lines.join(""), "job.jsonl");
}

function warnings(): { readonly log: Log; readonly messages: string[] } {
  const messages: string[] = [];
  return { messages, log: { ...silentLog, warn: (message) => void messages.push(message) } };
}

describe("a recorded model", () => {
  test("answers again what it answered, with the ids that tools return now", async () => {
    const { log, messages } = warnings();
    const model = replayModel(await record(), { agent: "ppt-agent", log });
    expect(await answer(model, request())).toEqual({ text: "Starting.", calls: ["{}"] });
    expect(await answer(model, request(...made("p-99aa00bb11cc")))).toEqual({
      text: "",
      calls: ['{"presentation_id":"p-99aa00bb11cc"}'],
    });
    expect(messages).toEqual([]);
  });

  test("names what earlier steps handed over by the ids that the request has now", async () => {
    const asked = (first: string, second: string): ModelRequest => ({
      ...request(),
      system: `Work of task ${first}.`,
      messages: [{ role: "user", text: `Sales grew [${second}], and costs fell [${first}].` }],
    });
    const lines: string[] = [];
    const recorded = recordModel(
      scriptedModel([{ text: "Draw [result-99aa00bb11cc] of result-3ab66529bd2d." }]),
      { agent: "ppt-agent", write: (line) => lines.push(line) },
    );
    await answer(recorded, asked("result-3ab66529bd2d", "result-99aa00bb11cc"));
    const recording = parseRecording(lines.join(""), "job.jsonl");
    const model = replayModel(recording, { agent: "ppt-agent", log: silentLog });
    const { text } = await answer(model, asked("result-0011223344aa", "result-5566778899bb"));
    expect(text).toBe("Draw [result-5566778899bb] of result-0011223344aa.");
    // Each has the recorded id of the other now.
    const swapped = replayModel(recording, { agent: "ppt-agent", log: silentLog });
    const other = await answer(swapped, asked("result-99aa00bb11cc", "result-3ab66529bd2d"));
    expect(other.text).toBe("Draw [result-3ab66529bd2d] of result-99aa00bb11cc.");
  });

  test("says which tool returned something else than when it was recorded", async () => {
    const { log, messages } = warnings();
    const model = replayModel(await record(), { agent: "ppt-agent", log });
    await answer(model, request());
    const [call, result] = made("p-99aa00bb11cc");
    if (call === undefined || result?.role !== "tool") throw new Error("no result");
    const results = result.results.map((one) => ({ ...one, text: `${one.text}\n81 % of them.` }));
    await answer(model, request(call, { role: "tool", results }));
    expect(messages).toEqual([
      "The recording no longer fits: create returned something else than when it was recorded.",
    ]);
  });

  test("fails where the recording has no answer, and says what to do", async () => {
    const model = replayModel(await record(), { agent: "rag-agent", log: silentLog });
    await expect(answer(model, request())).rejects.toMatchObject({
      code: "model.unscripted",
      message: expect.stringContaining("TROUPE_RECORD") as string,
    });
  });

  test("tells parallel conversations of one agent apart by what they are asked", async () => {
    const turn = (asked: string, text: string): RecordedTurn => ({
      v: 1,
      agent: "rag-agent",
      format: "",
      round: 0,
      asked,
      results: [],
      text,
      calls: [],
      stop: "end",
      model: "desk",
    });
    const recording = [turn("What do the goals say?", "goals"), turn("What does the budget say?", "budget")];
    const model = replayModel(recording, { agent: "rag-agent", log: silentLog });
    const asked = (text: string): ModelRequest => ({
      system: "",
      messages: [{ role: "user", text }],
      tools: [],
    });
    expect((await answer(model, asked("And the budget?"))).text).toBe("budget");
    expect((await answer(model, asked("And the budget?"))).text).toBe("goals");
  });

  test("is not written down where its call fails", async () => {
    const lines: string[] = [];
    const failing = scriptedModel([{ text: "Half of", fail: new Error("gone") }]);
    const model = recordModel(failing, { agent: "a", write: (line) => lines.push(line) });
    await expect(answer(model, request())).rejects.toThrow("gone");
    expect(lines).toEqual([]);
  });
});

test.each(["{", "[]", "null", '{"v":2,"agent":"a"}'])("a line %s is refused with its number", (line) => {
  expect(() => parseRecording(`\n${line}\n`, "job.jsonl")).toThrow(/^job\.jsonl, line 2 /);
});
