import type { Artifact, Part } from "@a2a-js/sdk";
import {
  EMPTY_RESPONSE,
  emptyTurn,
  reduceTurn,
  unreachable,
  type AgentEvent,
  type AgentEventBody,
  type AgentEventOf,
  type EventPosition,
  type TurnState,
} from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { encodeRun, overTheWire } from "../testing/encode-run.ts";
import { copyTask } from "./apply-event.ts";
import { checkArtifactStream } from "./check-artifact-stream.ts";
import { createDecoder } from "./decode/decoder.ts";
import { dataOf, textOf, type WireEvent } from "./parts.ts";

/** A character of every kind that was ever cut, doubled or taken for something it is not. */
const textArb = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom("\u{1F600}", "", "\n", "[FINAL ANSWER]", "✅ completed", "🔧 Calling ", "no errors", "```"),
);

/** What one sub-agent does next; each stands for a whole stretch of events. */
const moveArb = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("text" as const),
      born: fc.constantFrom("open" as const, "answer" as const),
      deltas: fc.array(textArb, { maxLength: 4 }),
      settles: fc.constantFrom("answer" as const, "narration" as const, "late" as const, "never" as const),
    }),
  },
  fc.record({
    kind: fc.constant("tool" as const),
    status: fc.constantFrom("ok" as const, "error" as const, "not-run" as const, "canceled" as const),
    summary: fc.constantFrom("No errors found", "✅ completed", ""),
    inBetween: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom("file" as const, "citation" as const, "usage" as const, "form" as const),
  }),
  fc.record({ kind: fc.constant("retry" as const) }),
);
type Move = typeof moveArb extends fc.Arbitrary<infer T> ? T : never;

const endArb = fc.constantFrom(
  "completed" as const,
  "partial" as const,
  "failed" as const,
  "canceled" as const,
);

type Placed = { readonly attempt: number; readonly body: AgentEventBody };

/** The events of one sub-agent, numbered within itself. */
function played(moves: readonly Move[], outcome: AgentEventOf<"finish">["outcome"]): readonly Placed[] {
  const events: Placed[] = [];
  let attempt = 1;
  let count = 0;
  let answer = "";
  let answerItems: readonly string[] = [];
  /** Items and calls that are still open when the next move begins. */
  let late: AgentEventBody[] = [];
  const add = (...bodies: readonly AgentEventBody[]): void =>
    void events.push(...bodies.map((body) => ({ attempt, body })));
  for (const move of moves) {
    const id = `${move.kind}${++count}`;
    if (move.kind === "retry") {
      late = [];
      attempt++;
      add({ type: "attempt-start", reason: "broken stream" });
    } else if (move.kind === "text") {
      add({ type: "text-start", itemId: id, role: move.born });
      add(...move.deltas.map((delta) => ({ type: "text-delta", itemId: id, delta }) as const));
      if (move.settles === "never") continue;
      if (move.born === "open" && move.settles !== "late")
        add({ type: "text-role", itemId: id, role: move.settles });
      add({ type: "text-end", itemId: id });
      if (move.born === "open" && move.settles === "late")
        late.push({ type: "text-role", itemId: id, role: "narration" });
      answer = move.deltas.join("");
      answerItems = [id];
    } else if (move.kind === "tool") {
      const { status, summary } = move;
      const end = { type: "tool-end", callId: id, tool: "search", status, summary, ms: 1 } as const;
      add({ type: "tool-start", callId: id, tool: "search", arguments: { q: summary } });
      if (move.inBetween) late.push(end);
      else add(end);
    } else add(single(move.kind, id));
    if (late.length > 1) add(...late.splice(0));
  }
  add(...late);
  const ended = outcome === "completed" || outcome === "partial";
  const response = {
    ...EMPTY_RESPONSE,
    is_task_complete: outcome === "completed",
    content: ended ? answer : "",
  };
  add({ type: "finish", outcome, response, answerItems: ended ? answerItems : [] });
  return events;
}

function single(kind: "file" | "citation" | "usage" | "form", id: string): AgentEventBody {
  switch (kind) {
    case "file": {
      const file = {
        id,
        name: "deck.pptx",
        mediaType: "application/x-deck",
        bytes: 3,
        url: `http://127.0.0.1/${id}`,
      };
      return { type: "artifact", artifact: { ...file, sha256: "0".repeat(64) } };
    }
    case "citation": {
      const place = {
        document: "d",
        source: "s",
        collection: "c",
        chunkId: "k",
        quote: "q",
        start: 0,
        end: 1,
      };
      return { type: "citation", citation: { id, ...place } };
    }
    case "usage":
      return {
        type: "usage",
        model: "m",
        usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 },
      };
    case "form":
      return {
        type: "input-required",
        request: { requestId: id, kind: "form", form: { title: "t", description: "", fields: [] } },
      };
    default:
      return unreachable(kind);
  }
}

/**
 * Runs of one to six sub-agents at once, told by one task: each a script of its own, in any order
 * among one another, with a plan above them and the run's own finish at the end.
 */
const parallelRunArb: fc.Arbitrary<readonly AgentEvent[]> = fc
  .record({
    scripts: fc.array(fc.tuple(fc.array(moveArb, { maxLength: 6 }), endArb), { minLength: 1, maxLength: 6 }),
    turns: fc.infiniteStream(fc.nat(5)),
    outcome: fc.constantFrom("completed" as const, "partial" as const),
  })
  .map(({ scripts, turns, outcome }) => {
    const events: AgentEvent[] = [];
    let own = 0;
    const add = (body: AgentEventBody, at?: Pick<EventPosition, "stepId" | "attempt" | "seq">): void => {
      const position = at ?? { attempt: 1, seq: own++ };
      const agent = position.stepId === undefined ? "orchestrator" : `agent-${position.stepId}`;
      events.push({ v: 1, runId: "run", agent, ...position, ...body });
    };
    const queues = scripts.map(([moves, end], index) => ({
      stepId: `step-${index}`,
      left: [...played(moves, end)],
      seq: 0,
      end,
    }));
    const steps = queues.map(({ stepId }) => ({ id: stepId, kind: "agent" as const, agent: "a" }));
    const plan = { name: "p", steps: steps.map((step) => ({ ...step, instruction: "", dependsOn: [] })) };
    add({ type: "plan-update", plan });
    for (let open = queues; open.length > 0; open = open.filter(({ left }) => left.length > 0)) {
      const pick: number = turns.next().value;
      const queue = open[pick % open.length];
      const next = queue?.left.shift();
      if (queue === undefined || next === undefined) continue;
      const { stepId } = queue;
      if (queue.seq === 0) add({ type: "step-status", step: stepId, state: "in_progress" });
      add(next.body, { stepId, attempt: next.attempt, seq: queue.seq++ });
      if (queue.left.length === 0) add({ type: "step-status", step: stepId, state: queue.end });
    }
    const last = events.findLast((event) => event.type === "finish");
    const named = last?.type === "finish" ? last : undefined;
    const answerItems = (named?.answerItems ?? []).map(
      (id) => `${named?.stepId}/${attemptOf(events, named, id)}/${id}`,
    );
    const content = named?.response.content ?? "";
    const response = { ...EMPTY_RESPONSE, is_task_complete: outcome === "completed", content };
    add({ type: "finish", outcome, response, answerItems });
    return events;
  });

function attemptOf(events: readonly AgentEvent[], finish: AgentEvent | undefined, itemId: string): number {
  const start = events.find(
    (event) => event.type === "text-start" && event.stepId === finish?.stepId && event.itemId === itemId,
  );
  return start?.attempt ?? 1;
}

const optionsArb = fc.record({
  structured: fc.boolean(),
  pauses: fc.array(fc.nat(150), { maxLength: 20 }).map((at) => new Set(at)),
});

interface Rebuilt {
  readonly name: string;
  readonly text: string;
  readonly data: readonly unknown[];
  readonly files: readonly Part[];
  readonly closed: boolean;
}

/** What any client makes of updates by the rules of A2A alone: create, append, close. */
function rebuild(wire: readonly WireEvent[]): ReadonlyMap<string, Rebuilt> {
  const artifacts = new Map<string, { name: string; parts: Part[]; closed: boolean }>();
  for (const event of wire) {
    if (event.$case !== "artifactUpdate" || event.value.artifact === undefined) continue;
    const { artifactId, name, parts } = event.value.artifact;
    const known = event.value.append ? artifacts.get(artifactId) : undefined;
    const all = [...(known?.parts ?? []), ...parts];
    artifacts.set(artifactId, { name, parts: all, closed: event.value.lastChunk });
  }
  return new Map([...artifacts].map(([id, { name, parts, closed }]) => [id, shown(name, parts, closed)]));
}

function stored(artifacts: readonly Artifact[]): ReadonlyMap<string, Rebuilt> {
  return new Map(artifacts.map(({ artifactId, name, parts }) => [artifactId, shown(name, parts, true)]));
}

function shown(name: string, parts: readonly Part[], closed: boolean): Rebuilt {
  const files = parts.filter((part) => part.content?.$case === "url");
  return { name, text: textOf(parts), data: dataOf(parts), files, closed };
}

/** The text of each item by the id its artifact has to have. */
function textsOf(events: readonly AgentEvent[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.type !== "text-start" && event.type !== "text-delta") continue;
    const id = `${event.stepId}/${event.attempt}/${event.itemId}`;
    texts.set(id, (texts.get(id) ?? "") + (event.type === "text-delta" ? event.delta : ""));
  }
  return texts;
}

const reduced = (events: readonly AgentEvent[]): TurnState => events.reduce(reduceTurn, emptyTurn);
const decode = (wire: readonly WireEvent[]): readonly AgentEvent[] => {
  const decoder = createDecoder({ agent: "x", runId: "x" });
  return wire.flatMap((event) => decoder.push(event));
};

describe("sub-agents at work at once", () => {
  it("break no rule of artifacts; every artifact is rebuilt to the last byte, and stored so", async () => {
    await fc.assert(
      fc.asyncProperty(parallelRunArb, optionsArb, async (events, options) => {
        const { wire, snapshots } = await encodeRun(events, options);
        expect(checkArtifactStream(wire)).toEqual([]);
        const rebuilt = rebuild(wire);
        expect(stored(snapshots.at(-1)?.artifacts ?? [])).toEqual(rebuilt);
        const texts = [...rebuilt].filter(([, { name }]) => name === "streaming_result");
        expect(new Map(texts.map(([id, { text }]) => [id, text]))).toEqual(textsOf(events));
      }),
      { numRuns: 150 },
    );
  });

  it("send no half of a character", async () => {
    const halves = fc.array(fc.constantFrom("\ud83d", "\ude00", "a", "\u{1F600}"), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(halves, optionsArb, async (pieces, options) => {
        const at = { v: 1, runId: "run", agent: "a", attempt: 1, stepId: "s" } as const;
        const text = pieces.join("").toWellFormed();
        // In halves of characters: what a model's chunks do to it.
        const events: AgentEvent[] = text
          .split("")
          .map((delta, seq) => ({ ...at, seq, type: "text-delta", itemId: "t", delta }));
        const start = { ...at, seq: 0, type: "text-start", itemId: "t", role: "open" } as const;
        const { wire } = await encodeRun([start, ...events, ending], options);
        const sent = wire.flatMap((event) =>
          event.$case === "artifactUpdate" ? [textOf(event.value.artifact?.parts ?? [])] : [],
        );
        expect(sent.filter((part) => !part.isWellFormed())).toEqual([]);
        expect(rebuild(wire).get("s/1/t")?.text).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it("leave a reader of the stream with the turn that was told", async () => {
    await fc.assert(
      fc.asyncProperty(parallelRunArb, optionsArb, async (events, options) => {
        const { wire } = await encodeRun(events, options);
        expect(reduced(decode(wire))).toEqual(reduced(events));
      }),
      { numRuns: 150 },
    );
  });

  it("leave a reader who lost the stream anywhere, and took it up anywhere, with the same", async () => {
    await fc.assert(
      fc.asyncProperty(
        parallelRunArb,
        optionsArb,
        fc.nat(),
        fc.nat(),
        async (events, options, first, second) => {
          const { wire, snapshots } = await encodeRun(events, options);
          const brokeAt = first % (wire.length + 1);
          const resumedAt = Math.max(0, brokeAt - 1) + (second % (wire.length - Math.max(0, brokeAt - 1)));
          const snapshot = overTheWire({ $case: "task", value: copyTask(snapshots[resumedAt]!) });
          const seen = [...wire.slice(0, brokeAt), snapshot, ...wire.slice(resumedAt + 1)];
          expect(checkArtifactStream(seen)).toEqual([]);
          expect(unplaced(reduced(decode(seen)))).toEqual(unplaced(reduced(events)));
        },
      ),
      { numRuns: 150 },
    );
  });
});

const ending: AgentEvent = {
  v: 1,
  runId: "run",
  agent: "a",
  attempt: 1,
  seq: 0,
  type: "finish",
  outcome: "failed",
  response: EMPTY_RESPONSE,
  answerItems: [],
};

/** The order of what different steps did before the stream was taken up again is not kept. */
function unplaced({ items, steps, ...turn }: TurnState): unknown {
  const byStep = Map.groupBy(items, ({ stepId }) => stepId ?? "");
  return { ...turn, steps: new Map(Object.entries(steps)), items: byStep };
}
