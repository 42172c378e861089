import { silentLog, type LogFields } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { checkArtifactStream } from "./check-artifact-stream.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { textPart, type WireEvent } from "./parts.ts";

const task = { id: "t", contextId: "c" };

function ledgerWith(known: readonly string[] = []): {
  ledger: Ledger;
  events: WireEvent[];
  lines: unknown[][];
} {
  const events: WireEvent[] = [];
  const lines: unknown[][] = [];
  const log = {
    ...silentLog,
    info: (message: string, fields?: LogFields) => void lines.push([message, fields]),
    warn: (message: string, fields?: LogFields) => void lines.push([message, fields]),
  };
  return { ledger: createLedger({ task, emit: (event) => events.push(event), known, log }), events, lines };
}

const content = {
  name: "streaming_result",
  description: "Draft text from find",
  parts: [textPart("x")],
  metadata: { is_narration: true, plan_step_id: "find" },
} as const;
const plan = { name: "execution_plan_update", parts: [textPart("x")] } as const;

describe("the ledger", () => {
  it("creates, appends and closes; every update carries a part", () => {
    const { ledger, events, lines } = ledgerWith();
    ledger.create("a", content);
    ledger.append("a", { metadata: { role: "answer" } });
    ledger.create("b", content, { close: true });
    ledger.closeAll();
    expect(checkArtifactStream(events)).toEqual([]);
    expect(events).toHaveLength(4);
    expect(events[0]).toMatchObject({ value: { artifact: { description: "Draft text from find" } } });
    expect(ledger.isOpen("a")).toBe(false);
    expect(ledger.size()).toBe(2);
    expect(lines).toContainEqual([
      "artifact created",
      { taskId: "t", artifactId: "a", name: "streaming_result", step: "find", append: false, total: 1 },
    ]);
  });

  it.each<[string, (ledger: Ledger) => void, RegExp]>([
    ["append to what was never created", (l) => l.append("a", {}), /never created/],
    ["create twice", (l) => (l.create("a", content), l.create("a", content)), /exists already/],
    ["append after close", (l) => (l.create("a", content, { close: true }), l.append("a", {})), /closed/],
    ["close twice", (l) => (l.create("a", content), l.close("a"), l.close("a")), /closed/],
    ["replace what is not there", (l) => l.replace("a", plan), /never created/],
    ["replace what is no plan", (l) => (l.create("a", content), l.replace("a", content)), /is no plan/],
    ["clear what is no text", (l) => (l.create("a", plan), l.clear("a", {})), /is no text/],
    ["make a plan of a text", (l) => (l.create("a", content), l.replace("a", plan)), /is no plan/],
    ["make a text of a plan", (l) => (l.create("a", plan), l.replace("a", content)), /is no plan/],
    ["touch what an earlier turn left", (l) => l.create("old", content), /exists already/],
  ])("does not %s", (_what, act, why) => {
    expect(() => act(ledgerWith(["old"]).ledger)).toThrow(why);
  });

  it("finds a free id beside one that is taken", () => {
    const { ledger } = ledgerWith(["a"]);
    ledger.create("a~2", content);
    expect([ledger.freeId("a"), ledger.freeId("b")]).toEqual(["a~3", "b"]);
  });

  it("counts what it creates by agent and name, and takes no file's name for one", () => {
    const counted: unknown[] = [];
    const metrics = { count: (...all: unknown[]) => void counted.push(all) };
    const ledger = createLedger({ task, emit: () => undefined, metrics, agent: "rag-agent" });
    ledger.create("a", content);
    ledger.append("a", { close: true });
    ledger.create("b", { ...content, name: 'any "name" at all.pptx' });
    expect(counted).toEqual([
      ["troupe_artifacts_total", 1, { agent: "rag-agent", name: "streaming_result" }],
      ["troupe_artifacts_total", 1, { agent: "rag-agent", name: "file" }],
    ]);
  });

  it("warns once when a task has more than 100 artifacts", () => {
    const { ledger, lines } = ledgerWith();
    for (let i = 0; i < 150; i++) ledger.create(`${i}`, content, { close: true });
    expect(lines.filter(([message]) => message === "many artifacts in one task")).toHaveLength(1);
  });
});
