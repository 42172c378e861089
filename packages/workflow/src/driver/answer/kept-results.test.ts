import { AgentError } from "@troupe/core";
import { emptyTurn, reduceTurn, type ArtifactRef, type ChartSpec, type Citation } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { tryWorkflow, type ScriptedTurn } from "../../testing/index.ts";

const cite = (id: string, chunkId: string): Citation => {
  return { id, document: "d", source: "s", collection: "c", chunkId, quote: "q", start: 0, end: 1 };
};
const chart: ChartSpec = {
  v: 1,
  id: "chart-1",
  kind: "number",
  title: "Sales",
  series: [{ field: "sales", label: "Sales", type: "number" }],
  rows: [{ sales: 7 }],
  provenance: { resultId: "r1", query: "SELECT 7", source: "sales.csv" },
};
const file: ArtifactRef = {
  id: "table",
  name: "table.csv",
  mediaType: "text/csv",
  bytes: 1,
  sha256: "0".repeat(64),
  url: "/table",
};
const gone: ScriptedTurn = {
  ms: 10,
  break: new AgentError("agent.task-lost", 'agent "rag-agent" is gone', { retryable: true }),
};

/** Documents and figures at the same time, and a deck of both. */
const job = {
  mode: "parallel" as const,
  steps: [
    { id: "documents", agent: "rag-agent", instruction: "Find." },
    { id: "sales", agent: "data-agent", instruction: "Count." },
    { id: "deck", agent: "ppt-agent", instruction: "Make.", depends_on: ["documents", "sales"] },
  ],
  final: "passthrough" as const,
};

describe("a run whose answer could not be made", () => {
  it("hands over what the finished steps found, with sources, charts and files, under what is missing", async () => {
    const trial = await tryWorkflow(job, (_request, agent) =>
      agent === "rag-agent"
        ? gone
        : {
            ms: 500,
            result: {
              answer: "| May | 7 |\n\nSeven [4], see [chart-1].",
              citations: [cite("4", "x")],
              data: { charts: [chart] },
              artifacts: [file],
            },
          },
    );
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "partial",
      response: { is_task_complete: false, citations: [cite("1", "x")], data: { charts: [chart] } },
      artifacts: [{ id: "table", stepId: "sales" }],
    });
    expect(outcome.response.content).toBe(
      [
        "## What is missing",
        "",
        '- documents (rag-agent): failed: agent "rag-agent" is gone',
        '- deck (ppt-agent): skipped: step "documents" failed: agent "rag-agent" is gone',
        "",
        "## Sales",
        "",
        "| May | 7 |",
        "",
        "Seven [1], see [chart-1].",
      ].join("\n"),
    );
    const turn = trial.events().reduce(reduceTurn, emptyTurn);
    expect(turn).toMatchObject({ outcome: "partial", content: outcome.response.content });
    expect(trial.events().at(-1)).toMatchObject({ type: "finish", answerItems: ["answer-kept"] });
  });

  it("names the files of a step that said nothing, and a last step that gave nothing", async () => {
    const trial = await tryWorkflow(job, (_request, agent) => ({
      result: { answer: "", artifacts: agent === "data-agent" ? [file] : [] },
    }));
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({ outcome: "partial", response: { is_task_complete: false } });
    expect(outcome.response.content).toBe(
      "## What is missing\n\n- documents (rag-agent): gave no answer\n- deck (ppt-agent): gave no answer\n\n## Sales\n\nThe file is ready: table.csv.",
    );
  });

  it("has failed, with the reason, when nobody found anything; what a person typed is no finding", async () => {
    const steps = [
      { id: "who", kind: "human" as const, form: { title: "Who?", fields: [{ field_name: "audience" }] } },
      { id: "deck", agent: "ppt-agent", instruction: "Make." },
    ];
    const trial = await tryWorkflow({ steps }, () => ({
      refuse: new AgentError("agent.unknown", "no such agent"),
    }));
    const answer = { requestId: "who", values: { audience: "Board" } };
    await trial.engine.signal("run-1", "human:who", answer, { idempotencyKey: "k" });
    expect(await trial.outcome()).toMatchObject({
      outcome: "failed",
      response: { content: "" },
      error: { code: "agent.unknown", message: 'step "deck" failed: no such agent' },
    });
  });
});
