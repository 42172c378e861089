import { describe, expect, it } from "vitest";

import type { Model, ModelEvent } from "../ports/model.ts";
import { scriptedModel } from "./scripted-model.ts";

async function ask(model: Model, text = "hi"): Promise<readonly ModelEvent[]> {
  const request = { system: "", messages: [{ role: "user" as const, text }], tools: [] };
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, { signal: new AbortController().signal }))
    events.push(event);
  return events;
}

describe("scriptedModel", () => {
  it("fails on a call that is not in the script, and on a step that was not used", async () => {
    const model = scriptedModel([{ text: "a" }]);
    expect(() => model.assertDone()).toThrow("1 of 1 scripted steps were not used.");
    await ask(model);
    model.assertDone();
    await expect(ask(model, "once more")).rejects.toMatchObject({
      code: "model.unscripted",
      message: expect.stringContaining("once more"),
    });
  });

  it("cuts text at the given sizes, the last one repeating", async () => {
    const events = await ask(scriptedModel([{ text: "abcdefgh", split: [1, 3] }]));
    expect(events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []))).toEqual([
      "a",
      "bcd",
      "efg",
      "h",
    ]);
  });

  it("may look at the request and answer by it", async () => {
    const model = scriptedModel([
      (request) => ({ text: `You said ${request.messages.length} things.` }),
      {
        expect: (request) => {
          throw new Error(`unexpected: ${request.system}`);
        },
      },
    ]);
    expect((await ask(model))[0]).toEqual({ type: "text-delta", text: "You said 1 things." });
    await expect(ask(model)).rejects.toThrow("unexpected");
  });
});
