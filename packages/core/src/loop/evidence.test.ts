import type { ChartSpec, Citation, Json } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import type { Delegation, StepResult } from "../ports/delegation.ts";
import { silentLog, type Log } from "../ports/log.ts";
import type { EvidenceState } from "../ports/suspended-runs.ts";
import { eventsOf, finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { Evidence } from "./evidence.ts";

const NOTHING = { v: 1 as const, results: {} };

function citation(id: string, chunkId: string, rest: Partial<Citation> = {}): Citation {
  return {
    id,
    document: "d",
    source: "d.md",
    collection: "c",
    chunkId,
    quote: "q",
    start: 0,
    end: 1,
    ...rest,
  };
}

function chart(id: string): ChartSpec {
  return {
    v: 1,
    id,
    kind: "bar",
    title: id,
    series: [{ field: "n", label: "n", type: "number" }],
    rows: [{ n: 1 }],
    provenance: { resultId: "r", query: "select 1", source: "s.csv" },
  };
}

function step(stepId: string, citations: readonly Citation[], charts: readonly ChartSpec[] = []): StepResult {
  return {
    stepId,
    agent: "a",
    outcome: "completed",
    answer: "",
    data: { charts },
    citations,
    artifacts: [],
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
    provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
  };
}

describe("Evidence", () => {
  it("keeps the data of a tool named charts apart from the charts", () => {
    const evidence = new Evidence(NOTHING);
    evidence.add("charts", { text: "", data: "not a list" });
    expect(evidence.data([])).toEqual({ charts_data: "not a list" });
    expect(evidence.data([chart("chart-1")])).toEqual({
      charts_data: "not a list",
      charts: [chart("chart-1")],
    });
  });

  it("numbers citations in order of first appearance, the same passage once", () => {
    const evidence = new Evidence(NOTHING);
    const first = evidence.add("search", {
      text: "[x] and [y] and [z]",
      citations: [citation("x", "k1"), citation("y", "k2")],
    });
    const second = evidence.add("search", {
      text: "[x] again [y], [x][y]",
      citations: [citation("x", "k2"), citation("y", "k2", { start: 5, end: 9 })],
    });
    expect(first).toBe("[1] and [2] and [z]");
    expect(second).toBe("[2] again [3], [2][3]");
  });

  it("keeps the widest passage of a source that is shown again with more text", () => {
    const evidence = new Evidence(NOTHING);
    const shown = (passage?: string) =>
      evidence.add("search", { text: "[x]", citations: [citation("x", "k1", passage ? { passage } : {})] });
    expect([shown(), shown("a q b"), shown("q b"), shown("q and c")]).toEqual(["[1]", "[1]", "[1]", "[1]"]);
    expect(evidence.citations).toMatchObject([{ id: "1", quote: "q", passage: "a q b\nq and c" }]);
  });

  it("gives one number to a chunk that is shown whole twice with other quotes, and keeps those it gave", () => {
    const whole = (id: string, start: number) =>
      citation(id, "k1", { start, end: start + 1, passage: "the whole" });
    const evidence = new Evidence(NOTHING);
    const citations = [whole("x", 0), whole("y", 5), { ...whole("z", 9), passage: "a part" }];
    expect(evidence.add("search", { text: "[x] [y] [z]", citations })).toBe("[1] [1] [2]");
    const before = { ...evidence.save(), citations: [whole("1", 0), whole("2", 5)] };
    const resumed = new Evidence(NOTHING, before);
    expect(
      resumed.add("search", {
        text: "[x] [y] [z]",
        citations: [whole("x", 0), whole("y", 5), whole("z", 7)],
      }),
    ).toBe("[1] [2] [1]");
  });

  it("swaps ids without mixing them up", () => {
    const evidence = new Evidence(NOTHING);
    evidence.add("search", { text: "", citations: [citation("a", "k1")] });
    const text = evidence.add("search", {
      text: "[1] [2]",
      citations: [citation("1", "k2"), citation("2", "k1")],
    });
    expect(text).toBe("[2] [1]");
  });

  it("continues its numbers after a resume if a foreign agent numbered its table with a text", () => {
    const table = { columns: ["n"], rows: [[1]] };
    const tables = [
      { ...table, id: "first", number: "t" },
      { ...table, id: "second" },
    ];
    const shared = { v: 1 as const, results: { data: { ...step("data", []), data: { tables } } } };
    const evidence = new Evidence(shared);
    expect(evidence.sourceId("t")).toBe("t");
    expect(new Evidence(shared, evidence.save()).sourceId("second")).toBe("1");
  });

  it("numbers charts of their own", () => {
    const evidence = new Evidence(NOTHING);
    expect(evidence.add("visualize", { text: "Made [chart-1].", charts: [chart("chart-1")] })).toBe(
      "Made [chart-1].",
    );
    expect(evidence.add("visualize", { text: "Made [chart-1].", charts: [chart("chart-1")] })).toBe(
      "Made [chart-2].",
    );
    expect(evidence.resolve("", { citations: [], charts: ["chart-2"] }).charts).toMatchObject([
      { id: "chart-2", title: "chart-1" },
    ]);
  });

  it("takes what is listed and what stands in the text, in order, and names what nobody returned", () => {
    const evidence = new Evidence(NOTHING);
    evidence.add("search", { text: "", citations: ["a", "b", "c"].map((id) => citation(id, id)) });
    const found = evidence.resolve("As [3] and [note] say [9].", {
      citations: ["2", "7", "9"],
      charts: ["x"],
    });
    expect(found.citations.map(({ id }) => id)).toEqual(["2", "3"]);
    expect(found).toMatchObject({ unknown: ["9", "x"], uncited: ["7"] });
  });

  it("gives every chart to an answer that listed nothing", () => {
    const evidence = new Evidence(NOTHING);
    evidence.add("visualize", { text: "", charts: [chart("c")] });
    expect(evidence.resolve("Plain text.").charts).toHaveLength(1);
    expect(evidence.resolve("Plain text.", { citations: [], charts: [] }).charts).toHaveLength(0);
  });

  it("finds what steps before returned by step and id, or by an id that is clear", () => {
    const results = {
      find: step("find", [citation("1", "k1"), citation("2", "k2")]),
      sum: step("sum", [citation("1", "k3")], [chart("chart-1")]),
    };
    const evidence = new Evidence({ v: 1, results });
    const found = evidence.resolve("See [find/1] and [2] and [1] and [chart-1].", {
      citations: ["sum/1", "1"],
      charts: [],
    });
    expect(found.citations.map(({ id, chunkId }) => [id, chunkId])).toEqual([
      ["2", "k2"],
      ["3", "k3"],
      ["4", "k1"],
    ]);
    expect(found.charts).toHaveLength(1);
    expect(found.unknown).toEqual(["1"]);
    // A number that a step before has given is not given again.
    expect(evidence.add("search", { text: "[x]", citations: [citation("x", "k9")] })).toBe("[5]");
  });

  it("gives charts of earlier steps their plain id, or a free one where another chart has it", () => {
    const charts = (...titles: string[]) =>
      titles.map((title, index) => ({ ...chart(`chart-${index + 1}`), title }));
    const results = {
      figures: step("figures", [], charts("a", "b")),
      "turn1.figures": step("turn1.figures", [], charts("c")),
    };
    const evidence = new Evidence({ v: 1, results });
    const draw = () => evidence.add("draw", { text: "[x]", charts: [chart("x")] });
    expect(evidence.numbered("[figures/chart-2] [turn1.figures/chart-1; figures/chart-1] [chart-1]")).toBe(
      "[chart-2] [chart-3, chart-4] [chart-1]",
    );
    expect([draw(), draw()]).toEqual(["[chart-1]", "[chart-5]"]);
    const found = evidence.resolve("See [figures/chart-2] and [chart-1].", {
      citations: [],
      charts: ["turn1.figures/chart-1", "figures/chart-9"],
    });
    expect(found.charts.map(({ id, title }) => [id, title])).toEqual([
      ["chart-1", "x"],
      ["chart-2", "b"],
      ["chart-3", "c"],
    ]);
    expect(found.unknown).toEqual(["figures/chart-9"]);
  });

  it("keeps structured data by tool", () => {
    const evidence = new Evidence(NOTHING);
    expect(evidence.data([])).toBeNull();
    evidence.add("open", { text: "", data: { id: 1 } });
    evidence.add("open", { text: "", data: { id: 2 } });
    expect(evidence.data([])).toEqual({ open: { id: 2 } });
    expect(evidence.data([chart("c")])).toMatchObject({ open: { id: 2 }, charts: [{ id: "c" }] });
  });
});

it("keeps pictures with their charts while a run waits", () => {
  const evidence = new Evidence(NOTHING);
  const artifact = { id: "f", name: "a.svg", mediaType: "x/y", bytes: 1, sha256: "0".repeat(64), url: "u" };
  evidence.add("draw", { text: "", charts: [chart("c")], chartFiles: [{ chartId: "c", artifact }] });
  const saved = JSON.parse(JSON.stringify(evidence.save())) as EvidenceState;
  expect(new Evidence(NOTHING, saved).filesOf([chart("chart-1")])).toEqual([artifact]);
});

describe("a run's findings", () => {
  const artifact = { id: "f1", name: "a.pptx", mediaType: "x/y", bytes: 1, sha256: "0".repeat(64), url: "u" };
  const search = echoTool("search", () => ({
    text: "[p1] says 4.\n[p2] says 5.",
    summary: "2 passages",
    citations: [citation("p1", "k1"), citation("p2", "k2")],
    charts: [chart("bars")],
    artifacts: [artifact],
  }));

  async function run(fields: Readonly<Record<string, Json>>, content = "It is 4.") {
    const model = scriptedModel([
      { calls: [{ name: "search", arguments: { text: "x" } }] },
      { calls: [finishCall(content, fields)] },
    ]);
    const events = await runAgent(createAgent(testConfig, { model, tools: [search] }));
    return { events, finish: finishOf(events), told: JSON.stringify(model.requests[1]?.messages.at(-1)) };
  }

  it("reach the model renumbered, and the answer by what it rests on", async () => {
    const { events, finish, told } = await run({ citation_ids: ["2"], chart_ids: ["chart-1"] });
    expect(told).toContain("[1] says 4.\\n[2] says 5.");
    expect(eventsOf(events, "tool-end")).toMatchObject([{ summary: "2 passages" }]);
    expect(eventsOf(events, "artifact")).toMatchObject([{ artifact }]);
    expect(eventsOf(events, "citation")).toMatchObject([{ citation: { id: "2", chunkId: "k2" } }]);
    expect(finish).toMatchObject({
      outcome: "completed",
      response: { citations: [{ id: "2" }], data: { charts: [{ id: "chart-1" }] } },
    });
  });

  it("has no pictures but those of the charts in the response", async () => {
    let made = 0;
    const draw = echoTool("draw", () => {
      const id = `c-${++made}`;
      const picture = { ...artifact, id: `svg-${made}`, name: "Sales.svg" };
      return { text: `[${id}]`, charts: [chart(id)], chartFiles: [{ chartId: id, artifact: picture }] };
    });
    const call = { name: "draw", arguments: { text: "x" } };
    const filesAfter = async (...last: readonly ScriptedStep[]) => {
      made = 0;
      const model = scriptedModel([{ calls: [call] }, { calls: [call] }, { calls: [call] }, ...last]);
      const events = await runAgent(createAgent(testConfig, { model, tools: [draw] }));
      expect(finishOf(events).outcome).toBe("completed");
      return eventsOf(events, "artifact").map((event) => event.artifact.id);
    };
    expect(await filesAfter({ calls: [finishCall("Here.", { chart_ids: ["chart-3"] })] })).toEqual(["svg-3"]);
    expect(await filesAfter({ calls: [finishCall("See [chart-2].", { chart_ids: [] })] })).toEqual(["svg-2"]);
    expect(await filesAfter({ text: "All of them." })).toEqual(["svg-1", "svg-2", "svg-3"]);
  });

  it("keep their numbers in streamed text, code and lists, and the response is that text", async () => {
    const answer = 'Late [2], not [9]. Both [1, 2]. `list[2]`, [link](x), {"pages": [1]}';
    const { events, finish } = await run({}, answer);
    const streamed = eventsOf(events, "text-delta").map(({ delta }) => delta);
    expect(streamed.join("")).toBe(answer);
    expect(finish.response).toMatchObject({
      content: answer,
      citations: [
        { id: "1", chunkId: "k1" },
        { id: "2", chunkId: "k2" },
      ],
    });
  });

  it("get a number of the run where the answer names them by step and id", async () => {
    const model = scriptedModel([
      { calls: [finishCall("Second of b [b/2], first [a/1, b/1], unclear [1].")], split: 3 },
    ]);
    const results = {
      a: step("a", [citation("1", "k1")]),
      b: step("b", [citation("1", "k2"), citation("2", "k3")]),
    };
    const delegation: Delegation = {
      v: 1,
      objective: "Go.",
      instruction: "Go.",
      expectedOutput: "",
      allowedTools: [],
      limits: {},
      results,
    };
    const events = await runAgent(createAgent(testConfig, { model }), { text: "Go.", delegation });
    const content = "Second of b [2], first [3, 4], unclear [1].";
    expect(
      eventsOf(events, "text-delta")
        .map(({ delta }) => delta)
        .join(""),
    ).toBe(content);
    expect(finishOf(events).response).toMatchObject({
      content,
      citations: [
        { id: "2", chunkId: "k3" },
        { id: "3", chunkId: "k1" },
        { id: "4", chunkId: "k2" },
      ],
    });
  });

  it("make the answer partial when it names what no tool returned", async () => {
    const { finish } = await run({ citation_ids: ["1", "8"] }, "It is 4 [8].");
    expect(finish).toMatchObject({
      outcome: "partial",
      response: { is_task_complete: false, citations: [{ id: "1" }] },
      error: { code: "agent.unknown-ids" },
    });
    expect(finish.error?.message).toContain("8");
  });

  it("log what is listed, was not returned and is not cited, and leave the answer complete", async () => {
    const logged: unknown[] = [];
    const log: Log = {
      ...silentLog,
      warn: (_, fields) => void logged.push(fields?.["ids"]),
      child: () => log,
    };
    const model = scriptedModel([{ calls: [finishCall("It is 4.", { citation_ids: ["8"] })] }]);
    const finish = finishOf(await runAgent(createAgent(testConfig, { model, log })));
    expect(finish).toMatchObject({ outcome: "completed", response: { citations: [] } });
    expect(logged).toEqual([["8"]]);
  });

  it.each([[["[1]", "[2]"]], [["[1, 2]"]], ["1, 2"], ["[1][2]"], ['["1", "2"]'], [[1, 2]]])(
    "are listed with brackets, as one string, or as numbers: %j",
    async (citation_ids) => {
      const { finish } = await run({ citation_ids });
      expect(finish.outcome).toBe("completed");
      expect(finish.response.citations.map(({ id }) => id)).toEqual(["1", "2"]);
    },
  );
});

it("looks through an answer full of brackets once, however much the steps before found", () => {
  const found = Array.from({ length: 5000 }, (_, n) => citation(`c${n}`, `k${n}`));
  const evidence = new Evidence({ v: 1, results: { before: step("before", found) } });
  const resolved = evidence.resolve(`${"[none] ".repeat(1_000_000)}[c7] [before/c8]`);
  expect(resolved.citations.map(({ id }) => id)).toEqual(["c7", "c8"]);
});

it("gives no table the number of a reference to nothing", () => {
  const evidence = new Evidence(NOTHING);
  evidence.add("query", { text: "", tables: [{ id: "t", columns: ["n"], rows: [[71]] }] });
  expect(evidence.numbered("The board approved it [1]. The margin is 71 [t].")).toBe(
    "The board approved it [1]. The margin is 71 [2].",
  );
  expect(evidence.isKnown("1")).toBe(false);
});
