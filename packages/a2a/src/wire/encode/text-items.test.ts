import { virtualClock } from "@troupe/core/testing";
import type { AgentEventBody } from "@troupe/stream";
import { expect, it } from "vitest";

import { createLedger } from "../ledger.ts";
import { textOf, type WireEvent } from "../parts.ts";
import { readRecord } from "../records.ts";
import { createEncoder } from "./encoder.ts";

/** An encoder, and the updates of text it sends: which item, what text, its role by then, whether it closed. */
function encode() {
  const clock = virtualClock();
  const task = { id: "t", contextId: "c" };
  const sent: unknown[] = [];
  const emit = (event: WireEvent): void => {
    if (event.$case !== "artifactUpdate" || event.value.artifact === undefined) return;
    const { artifactId, parts, metadata } = event.value.artifact;
    const record = readRecord(metadata);
    const role = record?.kind === "text" ? record.role?.as : undefined;
    sent.push([artifactId, textOf(parts), role, event.value.lastChunk]);
  };
  const ledger = createLedger({ task, emit });
  const encoder = createEncoder({ task, ledger, status: () => {}, clock, newId: () => "m", turn: 1 });
  let seq = 0;
  const push = (...bodies: readonly (AgentEventBody & { readonly attempt?: number })[]): void => {
    for (const body of bodies)
      encoder.push({ v: 1, runId: "r", seq: seq++, attempt: 1, agent: "a", ...body });
  };
  return { clock, sent, push };
}

const start = (itemId: string, role: "open" | "answer" = "open"): AgentEventBody => ({
  type: "text-start",
  itemId,
  role,
});
const delta = (itemId: string, text: string): AgentEventBody => ({ type: "text-delta", itemId, delta: text });
const role = (itemId: string): AgentEventBody => ({ type: "text-role", itemId, role: "narration" });
const end = (itemId: string): AgentEventBody => ({ type: "text-end", itemId });

it("tells the last text of an item, its role and its end in one update", () => {
  const { sent, push } = encode();
  push(start("1"), delta("1", "Let"), delta("1", " me"), delta("1", " see."), role("1"), end("1"));
  expect(sent).toEqual([
    ["1", "Let", undefined, false],
    ["1", " me see.", "narration", true],
  ]);
});

it("tells a role whose end does not come when text is due", async () => {
  const { clock, sent, push } = encode();
  push(start("1"), delta("1", "Let"), role("1"));
  expect(sent).toHaveLength(1);
  await clock.advance(50);
  expect(sent.slice(1)).toEqual([["1", "", "narration", false]]);
  push(end("1"));
  expect(sent.slice(2)).toEqual([["1", "", "narration", true]]);
});

it("tells a role before all that comes after it", () => {
  const call = { type: "tool-start", callId: "c", tool: "look_up", arguments: {} } as const;
  for (const next of [[start("2", "answer"), delta("2", "42")], [call]]) {
    const { sent, push } = encode();
    push(start("1"), delta("1", "Let"), role("1"), ...next);
    expect(sent.slice(0, 2)).toEqual([
      ["1", "Let", undefined, false],
      ["1", "", "narration", false],
    ]);
    expect(sent).toHaveLength(3);
  }
});

it("tells a role before the first text of an item that began before it", () => {
  const { sent, push } = encode();
  push(start("1"), delta("1", "Let"), start("2"), role("1"), delta("2", "And"));
  expect(sent).toEqual([
    ["1", "Let", undefined, false],
    ["1", "", "narration", false],
    ["2", "And", undefined, false],
  ]);
});

it("empties what is open of the items that an attempt supersedes, and nothing else", () => {
  const { sent, push, clock } = encode();
  push(start("1", "answer"), delta("1", "A dr"), delta("1", "aft"), start("2"), delta("2", "Kept"));
  push({ type: "attempt-start", reason: "corrected", items: ["1"], attempt: 2 });
  expect(sent.slice(2)).toEqual([
    ["2", "Kept", undefined, false],
    ["1", "", undefined, false],
  ]);
  const second = [start("3", "answer"), delta("3", "New"), end("3")].map((body) => ({ ...body, attempt: 2 }));
  push(end("1"), ...second);
  expect(sent.slice(4)).toEqual([
    ["1", "", undefined, true],
    ["2/3", "New", undefined, false],
    ["2/3", "", undefined, true],
  ]);
  expect(clock.pending).toBe(0);
});

it("closes an item whose role comes after its end", () => {
  const { sent, push } = encode();
  push(start("1"), delta("1", "Draft"), end("1"), role("1"));
  expect(sent.at(-1)).toEqual(["1", "", "narration", true]);
});
