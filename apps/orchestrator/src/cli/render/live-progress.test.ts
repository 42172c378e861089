import { PassThrough } from "node:stream";

import { virtualClock } from "@troupe/core/testing";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import { expect, it } from "vitest";

import { colors } from "./color.ts";
import { liveProgress } from "./live-progress.ts";

function shownOf(bodies: readonly AgentEventBody[], size = { columns: 80, rows: 24 }): string {
  let shown = "";
  const stream = Object.assign(new PassThrough(), { ...size, isTTY: true });
  stream.setEncoding("utf8").on("data", (chunk: string) => (shown += chunk));
  const progress = liveProgress(stream, colors(false), virtualClock());
  bodies.forEach((body, seq) =>
    progress.event({ v: EVENT_VERSION, runId: "r", seq, attempt: 1, agent: "a", ...body }),
  );
  progress.end();
  return shown;
}

it("says that it plans as long as there is no plan and no step", () => {
  expect(shownOf([])).toContain("Planning ...");
});

it("shows the steps of a run that goes on after a question, whose plan was told before", () => {
  const shown = shownOf([
    { type: "step-status", step: "audience", state: "completed" },
    { type: "step-status", step: "deck", state: "in_progress" },
  ]);
  expect(shown).toMatch(/✔ audience .*completed/);
  expect(shown).toMatch(/▶ deck {2}/);
  expect(shown).not.toContain("Planning");
});

it("keeps the plan of a run over its question, with steps that wait and what one that runs does", () => {
  const step = (id: string) => ({ id, kind: "agent", agent: "a", instruction: "", dependsOn: [] }) as const;
  const response = { ...EMPTY_RESPONSE, require_user_input: true };
  const shown = shownOf([
    { type: "plan-update", plan: { name: "Deck", steps: [step("ask"), step("deck")] } },
    { type: "finish", outcome: "input-required", response, answerItems: [] },
    { type: "step-status", step: "ask", state: "completed" },
  ]);
  const last = shown.slice(shown.lastIndexOf("✔ ask"));
  expect(last).toMatch(/· deck .*pending/);
});

it("says in full why a step asks again", () => {
  const reason = `waits for an answer to "send#2": to: ${"is no address ".repeat(10)}at all`;
  const shown = shownOf([
    { type: "step-status", step: "send", state: "in_progress" },
    { type: "step-status", step: "send", state: "input_required", reason },
  ]);
  // The terminal's lines break within words.
  const letters = (text: string): string => text.replaceAll(/\s/g, "");
  expect(letters(shown)).toContain(letters(`input required: ${reason}`));
});

it("shows no step as running once the run has ended", () => {
  const shown = shownOf([
    { type: "step-status", step: "find", state: "completed" },
    { type: "step-status", step: "deck", state: "in_progress" },
    { type: "finish", outcome: "canceled", response: EMPTY_RESPONSE, answerItems: [] },
  ]);
  expect(shown).toMatch(/✔ find .*completed/);
  expect(shown.slice(shown.lastIndexOf("✔ find"))).toMatch(/◌ deck .*canceled/);
});

it("shows what came of a step's last call", () => {
  const head = { v: EVENT_VERSION, runId: "r", attempt: 1, agent: "a" } as const;
  const shown = shownOf([
    { type: "step-status", step: "find", state: "in_progress" },
    { ...head, seq: 1, stepId: "find", type: "tool-start", callId: "c", tool: "search", arguments: {} },
    {
      ...head,
      seq: 2,
      stepId: "find",
      type: "tool-end",
      callId: "c",
      tool: "search",
      status: "ok",
      summary: "3 hits",
      ms: 1,
    },
  ] as readonly AgentEvent[]);
  expect(shown).toContain("search: 3 hits");
});

it("shows steps on a terminal that does not know its size", () => {
  const shown = shownOf([{ type: "step-status", step: "deck", state: "completed" }], {
    columns: 0,
    rows: 0,
  });
  expect(shown).toMatch(/✔ deck .*completed/);
});

it("shows the end of the answer as it is written, and leaves it to stdout at the end", async () => {
  let shown = "";
  const stream = Object.assign(new PassThrough(), { columns: 80, rows: 8, isTTY: true });
  stream.setEncoding("utf8").on("data", (chunk: string) => (shown += chunk));
  const clock = virtualClock();
  const progress = liveProgress(stream, colors(false), clock);
  const head = { v: EVENT_VERSION, runId: "r", attempt: 1, agent: "a" } as const;
  const delta = Array.from({ length: 20 }, (_, at) => `- **Point** ${at + 1}\n`).join("");
  progress.event({ ...head, seq: 0, type: "step-status", step: "find", state: "completed" });
  progress.event({ ...head, seq: 1, type: "text-start", itemId: "1", role: "answer" });
  progress.event({ ...head, seq: 2, type: "text-delta", itemId: "1", delta });
  await clock.advance(1_000);
  expect(shown).toContain("• Point 16\n• Point 17\n• Point 18\n• Point 19\n• Point 20\n");
  expect(shown).not.toContain("Point 15");
  shown = "";
  progress.end();
  expect(shown).not.toContain("Point");
});

it("goes on redrawing after a question that came while a redraw was due", async () => {
  let shown = "";
  const stream = Object.assign(new PassThrough(), { columns: 80, rows: 24, isTTY: true });
  stream.setEncoding("utf8").on("data", (chunk: string) => (shown += chunk));
  const clock = virtualClock();
  const progress = liveProgress(stream, colors(false), clock);
  const head = { v: EVENT_VERSION, runId: "r", attempt: 1, agent: "a" } as const;
  progress.event({ ...head, seq: 0, type: "step-status", step: "ask", state: "input_required" });
  progress.end();
  progress.event({ ...head, seq: 1, type: "step-status", step: "ask", state: "completed" });
  await clock.advance(1_000);
  expect(shown).toMatch(/✔ ask .*completed/);
});
