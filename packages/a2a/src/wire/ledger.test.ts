import { TaskState } from "@a2a-js/sdk";
import { silentLog, type LogFields } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { checkArtifactStream } from "./check-artifact-stream.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { artifactOf, textPart, type WireEvent } from "./parts.ts";

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
    debug: (message: string, fields?: LogFields) => void lines.push([message, fields]),
    warn: (message: string, fields?: LogFields) => void lines.push([message, fields]),
  };
  return { ledger: createLedger({ task, emit: (event) => events.push(event), known, log }), events, lines };
}

const content = { name: "streaming_result", parts: [textPart("x")] } as const;

describe("the ledger", () => {
  it("creates, appends and closes; every update carries a part", () => {
    const { ledger, events, lines } = ledgerWith();
    ledger.create("a", content);
    ledger.append("a", { metadata: { role: "answer" } });
    ledger.create("b", content, { close: true });
    ledger.closeAll();
    expect(checkArtifactStream(events)).toEqual([]);
    expect(events).toHaveLength(4);
    expect(ledger.isOpen("a")).toBe(false);
    expect(ledger.size).toBe(2);
    expect(lines).toContainEqual([
      "artifact created",
      { taskId: "t", artifactId: "a", name: "streaming_result", count: 1 },
    ]);
  });

  it.each<[string, (ledger: Ledger) => void, RegExp]>([
    ["append to what was never created", (l) => l.append("a", {}), /never created/],
    ["create twice", (l) => (l.create("a", content), l.create("a", content)), /exists already/],
    ["append after close", (l) => (l.create("a", content, { close: true }), l.append("a", {})), /closed/],
    ["close twice", (l) => (l.create("a", content), l.close("a"), l.close("a")), /closed/],
    ["replace what is not there", (l) => l.replace("a", content, "plan-snapshot"), /never created/],
    ["touch what an earlier turn left", (l) => l.create("old", content), /exists already/],
  ])("does not %s", (_what, act, why) => {
    expect(() => act(ledgerWith(["old"]).ledger)).toThrow(why);
  });

  it("finds a free id beside one that is taken", () => {
    const { ledger } = ledgerWith(["a"]);
    ledger.create("a~2", content);
    expect([ledger.freeId("a"), ledger.freeId("b")]).toEqual(["a~3", "b"]);
  });

  it("warns once when a task has more than 100 artifacts", () => {
    const { ledger, lines } = ledgerWith();
    for (let i = 0; i < 150; i++) ledger.create(`${i}`, content, { close: true });
    expect(lines.filter(([message]) => message === "many artifacts in one task")).toHaveLength(1);
  });
});

describe("checkArtifactStream", () => {
  const update = (
    artifactId: string,
    flags: { append?: boolean; lastChunk?: boolean; name?: string; empty?: boolean } = {},
  ): WireEvent => ({
    $case: "artifactUpdate",
    value: {
      taskId: "t",
      contextId: "c",
      artifact: artifactOf(artifactId, flags.name ?? "x", flags.empty === true ? [] : [textPart("")]),
      append: flags.append ?? false,
      lastChunk: flags.lastChunk ?? false,
      metadata: undefined,
    },
  });
  const ended: WireEvent = {
    $case: "statusUpdate",
    value: {
      taskId: "t",
      contextId: "c",
      status: { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: undefined },
      metadata: undefined,
    },
  };
  const rules = (...events: WireEvent[]): readonly string[] =>
    checkArtifactStream(events).map(({ rule, at }) => `${rule}@${at}`);

  it("finds each broken rule and where", () => {
    expect(rules(update("a", { append: true, lastChunk: true }))).toEqual(["append-unknown@0"]);
    expect(rules(update("a"), update("a", { lastChunk: true }))).toEqual(["create-known@1"]);
    expect(rules(update("a", { lastChunk: true }), update("a", { append: true }))).toEqual(["after-close@1"]);
    expect(rules(update("a", { empty: true, lastChunk: true }))).toEqual(["no-parts@0"]);
    expect(rules(ended, update("a", { lastChunk: true }))).toEqual(["after-end@1"]);
    expect(rules(update("a"))).toEqual(["left-open@1"]);
  });

  it("lets a plan be sent anew as a whole", () => {
    const plan = { name: "execution_plan_update" };
    expect(rules(update("p", plan), update("p", { ...plan, lastChunk: true }))).toEqual([]);
  });
});
