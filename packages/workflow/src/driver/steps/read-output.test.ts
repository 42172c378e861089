import type { AgentResult } from "@troupe/core";
import { describe, expect, it } from "vitest";

import {
  memoryEngine,
  memoryEventLog,
  memoryJournal,
  scriptedGateway,
  tryWorkflow,
} from "../../testing/index.ts";
import { createDagDriver } from "../create-dag-driver.ts";
import { readOutput } from "./read-output.ts";

const schema = {
  type: "object",
  properties: { revenue: { type: "number" } },
  required: ["revenue"],
};
const read = (answer: string, data: { readonly revenue: number } | null = null) =>
  readOutput(schema, { answer, data });

describe("readOutput", () => {
  it.each([
    ["the whole answer", '{"revenue":7}'],
    [
      "its last fenced part",
      'Before:\n```json\n{"revenue":1}\n```\nNow:\n```json\n{"revenue":7}\n```\nThat is it.',
    ],
    ["a part that names no language", 'So:\n```\n{"revenue":7}\n```'],
  ])("takes %s", (_what, answer) => {
    expect(read(answer)).toEqual({ value: { revenue: 7 } });
  });

  it("takes the data beside an answer in words, and prefers what fits to what stands first", () => {
    expect(read("Seven.", { revenue: 7 })).toEqual({ value: { revenue: 7 } });
    expect(read('{"revenue":"seven"}', { revenue: 7 })).toEqual({ value: { revenue: 7 } });
  });

  it("takes the one part of the data that fits, as an agent of others names it, and neither of two", () => {
    const part = { revenue: 7 };
    const beside = (data: AgentResult["data"], answer = "") => readOutput(schema, { answer, data });
    expect(beside({ invoice: part })).toEqual({ value: part });
    expect(beside({ invoice: part, files: [] }, "Here it is.")).toEqual({ value: part });
    expect(beside({ revenue: 8, invoice: part })).toEqual({ value: { revenue: 8, invoice: part } });
    expect(beside({ invoice: part, receipt: { revenue: 8 } })).toHaveProperty("issues");
    expect(beside({ invoice: { revenue: "7" } })).toHaveProperty("issues");
    expect(readOutput(schema, { answer: '{"revenue":9}', data: { invoice: part } })).toEqual({
      value: { revenue: 9 },
    });
  });

  it("looks for it in data of a few parts only: each may take as long to check as an answer", () => {
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`part-${at}`, null]));
    expect(readOutput(schema, { answer: "", data: { ...many, invoice: { revenue: 7 } } })).toHaveProperty(
      "issues",
    );
  });

  it("says what is wrong, of the answer first", () => {
    expect(read("Seven.")).toEqual({ issues: ["the answer is no JSON"] });
    expect(read("```")).toEqual({ issues: ["the answer is no JSON"] });
    expect(read('{"revenue":"seven"}')).toEqual({ issues: [expect.stringContaining("revenue")] });
    expect(read("[]")).toHaveProperty("issues");
  });

  it("says first that words are no JSON, before what the data beside them lacks", () => {
    const beside = { charts: [] };
    expect(readOutput(schema, { answer: "Seven.", data: beside })).toEqual({
      issues: ["the answer is no JSON", "the data beside it does not fit: revenue is missing"],
    });
    expect(readOutput(schema, { answer: "{}", data: beside })).toEqual({ issues: ["revenue is missing"] });
  });

  it("takes a value that is nothing where the schema does", () => {
    expect(readOutput({ type: "null" }, { answer: "null", data: null })).toEqual({ value: null });
  });
});

it("tells an agent ten of the issues a journal has, in few words, and how many more there are", async () => {
  const output_schema = { type: "object" };
  const workflow = {
    steps: [{ id: "a", agent: "a", instruction: "do a", output_schema, retry: { attempts: 2 } }],
  };
  const first = await tryWorkflow(workflow, () => ({ ms: 10, result: { answer: "none" } }));
  await first.clock.advance(500);
  const issues = Array.from({ length: 5_000 }, (_, at) => `rows.${at} ${"x".repeat(1_000)}`);
  const journal = memoryJournal();
  const run = first.journal.run("run-1");
  if (run) await journal.addRun(run, 0);
  for (const [seq, { name, value }] of first.journal.entries("run-1").entries()) {
    const text = JSON.stringify(value).replace('["the answer is no JSON"]', JSON.stringify(issues));
    await journal.addEntry("run-1", seq, name, text);
  }
  const gateway = scriptedGateway(() => ({ ms: 10, result: { answer: "{}" } }), first.clock);
  const eventLog = memoryEventLog();
  const engine = memoryEngine({ clock: first.clock, journal, events: eventLog });
  await engine.register(createDagDriver({ gateway, eventLog, clock: first.clock }));
  await first.clock.advance(5_000);
  expect((await engine.result("run-1")).outcome).toBe("completed");
  const told = gateway.calls[0]?.request.delegation.instruction ?? "";
  expect(told).toContain("rows.9 x");
  expect(told).not.toContain("rows.10 x");
  expect(told).toContain("and 4990 more");
  expect(told.length).toBeLessThan(4_000);
});
