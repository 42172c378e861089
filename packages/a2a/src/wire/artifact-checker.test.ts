import { TaskState } from "@a2a-js/sdk";
import { describe, expect, it } from "vitest";

import { collect } from "../testing/index.ts";
import { createArtifactChecker, type ArtifactViolation } from "./artifact-checker.ts";
import { checkArtifactStream } from "./check-artifact-stream.ts";
import { EXT } from "./extension.ts";
import { artifactOf, textPart, type Metadata, type WireEvent } from "./parts.ts";
import { watchArtifacts } from "./watch-artifacts.ts";

const ids = { taskId: "t", contextId: "c" };

interface Flags {
  readonly append?: boolean;
  readonly last?: boolean;
  readonly name?: string;
  readonly empty?: boolean;
  readonly text?: string;
  readonly metadata?: Metadata;
}

const update = (artifactId: string, flags: Flags = {}): WireEvent => ({
  $case: "artifactUpdate",
  value: {
    ...ids,
    artifact: artifactOf(
      artifactId,
      flags.name ?? "x",
      flags.empty === true ? [] : [textPart(flags.text ?? "")],
      flags.metadata,
    ),
    append: flags.append ?? false,
    lastChunk: flags.last ?? false,
    metadata: undefined,
  },
});
const moved = (state: TaskState): WireEvent => ({
  $case: "statusUpdate",
  value: { ...ids, status: { state, message: undefined, timestamp: undefined }, metadata: undefined },
});
const snapshot = (artifactIds: readonly string[], state = TaskState.TASK_STATE_WORKING): WireEvent => ({
  $case: "task",
  value: {
    id: "t",
    contextId: "c",
    status: { state, message: undefined, timestamp: undefined },
    artifacts: artifactIds.map((id) => artifactOf(id, "x", [textPart("")])),
    history: [],
    metadata: undefined,
  },
});
const told = (violations: readonly ArtifactViolation[]): readonly string[] =>
  violations.map(({ rule, at }) => `${rule}@${at}`);
const rules = (...events: WireEvent[]): readonly string[] => told(checkArtifactStream(events));

const completed = moved(TaskState.TASK_STATE_COMPLETED);
const failed = moved(TaskState.TASK_STATE_FAILED);
const asks = moved(TaskState.TASK_STATE_INPUT_REQUIRED);
const text = (metadata: Metadata, more: Flags = {}): Flags => ({
  name: "streaming_result",
  metadata,
  ...more,
});
const narration = { is_narration: true };
const answer = { is_final_answer: true };

describe("the rules of artifacts", () => {
  it("an id is created once, appended to and closed, and nothing comes after that", () => {
    const more = { append: true };
    const last = { append: true, last: true };
    expect(rules(update("a"), update("a", more), update("a", last), completed)).toEqual([]);
    expect(rules(update("a", last))).toEqual(["append-unknown@0"]);
    expect(rules(update("a"), update("a", { last: true }))).toEqual(["create-known@1"]);
    expect(rules(update("a", { last: true }), update("a", more))).toEqual(["after-close@1"]);
    expect(rules(update("a", { last: true }), update("a", last), update("a"))).toEqual([
      "after-close@1",
      "after-close@2",
    ]);
    expect(rules(update("a", { empty: true, last: true }))).toEqual(["no-parts@0"]);
    expect(rules(update("a"))).toEqual(["left-open@1"]);
  });

  it("each id has rules of its own: no flag stands for all of them", () => {
    const more = { append: true };
    const last = { append: true, last: true };
    expect(rules(update("a"), update("b"), update("a", more), update("b", last), update("a", last))).toEqual(
      [],
    );
    expect(rules(update("a"), update("b", last), update("a", last))).toEqual(["append-unknown@1"]);
  });

  it("nothing comes after the end; a task that asked goes on", () => {
    expect(rules(completed, update("a", { last: true }))).toEqual(["after-end@1"]);
    expect(rules(asks, update("a", { last: true }))).toEqual(["after-end@1"]);
    expect(rules(asks, moved(TaskState.TASK_STATE_WORKING), update("a", { last: true }))).toEqual([]);
    expect(rules(failed, moved(TaskState.TASK_STATE_WORKING), update("a", { last: true }))).toEqual([
      "after-end@2",
    ]);
  });

  it("a text may be emptied, and nothing else takes its place", () => {
    const text = { name: "streaming_result", metadata: answer };
    const close = update("a", { ...text, append: true, last: true });
    expect(rules(update("a", text), update("a", { ...text, text: "" }), close)).toEqual([]);
    expect(rules(update("a", text), update("a", { ...text, text: "New" }), close)).toEqual([
      "create-known@1",
    ]);
  });

  it("a plan is sent anew as a whole, also under its other name, and nothing else is", () => {
    const plan = { name: "execution_plan_update" };
    const status = { name: "execution_plan_status_update" };
    expect(rules(update("p", plan), update("p", status), update("p", { ...plan, last: true }))).toEqual([]);
    expect(rules(update("p", plan), update("p", { name: "x", last: true }))).toEqual([
      "name-changed@1",
      "create-known@1",
    ]);
    expect(rules(update("a"), update("a", { name: "complete_result", append: true, last: true }))).toEqual([
      "name-changed@1",
    ]);
  });

  it("a text is marked as one of two, and stays what it was", () => {
    const last = { append: true, last: true };
    expect(rules(update("a", text(answer)), update("a", text(answer, last)))).toEqual([]);
    expect(rules(update("a", text({})), update("a", { name: "streaming_result", ...last }))).toEqual([
      "flags-not-one@0",
    ]);
    expect(rules(update("a", text({ ...answer, ...narration }, { last: true })))).toEqual([
      "flags-not-one@0",
    ]);
    expect(rules(update("a", text(narration)), update("a", text(answer, last)))).toEqual(["flags-changed@1"]);
  });

  it("what belongs to a step says so, the same each time and as its typed events do", () => {
    const last = { append: true, last: true };
    const find = { ...narration, plan_step_id: "find" };
    const draw = { ...narration, plan_step_id: "draw" };
    expect(rules(update("a", text(find)), update("a", text(find, last)))).toEqual([]);
    expect(rules(update("a", text(find)), update("a", text(draw, last)))).toEqual(["step-changed@1"]);
    const record = { [EXT]: { v: 1, kind: "text", stepId: "draw" } };
    expect(rules(update("a", text({ ...find, ...record }, { last: true })))).toEqual(["step-changed@0"]);
    const events = { [EXT]: { v: 1, kind: "events", events: [{ order: 0, event: { stepId: "find" } }] } };
    expect(rules(update("a", { metadata: { plan_step_id: "find", ...events }, last: true }))).toEqual([]);
    expect(rules(update("a", { metadata: events, last: true }))).toEqual(["step-changed@0"]);
  });

  it("a task has one result, and one that is not completed has none", () => {
    const final = { name: "final_result", last: true };
    const partial = { name: "partial_result", last: true };
    const ours = { [EXT]: { v: 1, kind: "events", events: [] } };
    expect(rules(update("r", final), completed)).toEqual([]);
    expect(rules(update("r", final), update("s", partial), completed)).toEqual(["second-result@1"]);
    expect(rules(update("r", final), failed)).toEqual(["result-not-completed@1"]);
    expect(rules(update("r", partial), asks)).toEqual(["result-not-completed@1"]);
    expect(rules(update("a", { last: true, metadata: ours }), completed)).toEqual(["no-result@1"]);
    // An agent that knows nothing of these names owes nothing under them.
    expect(rules(update("a", { last: true }), completed)).toEqual([]);
    expect(rules(update("c", { name: "complete_result", last: true }), failed)).toEqual([]);
  });

  it("a snapshot does not say what is closed, so it is held against nobody", () => {
    const last = { append: true, last: true };
    expect(rules(snapshot(["a"]), update("a", last), completed)).toEqual([]);
    expect(rules(snapshot(["a"]), completed)).toEqual([]);
    expect(rules(snapshot(["a"]), update("a", { last: true }), completed)).toEqual(["create-known@1"]);
    expect(rules(update("a"), snapshot(["a"]), completed)).toEqual([]);
    expect(rules(update("a", { last: true }), snapshot(["a"]), update("a", last))).toEqual(["after-close@2"]);
    expect(rules(snapshot(["a"], TaskState.TASK_STATE_COMPLETED), update("a", last))).toEqual([
      "after-end@1",
      "after-close@1",
    ]);
  });
});

describe("watching a stream", () => {
  async function* streamOf(events: readonly WireEvent[]): AsyncGenerator<WireEvent> {
    yield* events;
  }

  it("passes all on unchanged, and tells what is wrong before the event it is about", async () => {
    const events = [update("a"), update("b", { append: true }), completed];
    const order: string[] = [];
    const watched = watchArtifacts(streamOf(events), {
      onViolation: ({ rule, at }) => void order.push(`${rule}@${at}`),
    });
    for await (const event of watched) order.push(event.$case);
    expect(order).toEqual([
      "artifactUpdate",
      "append-unknown@1",
      "artifactUpdate",
      "statusUpdate",
      "left-open@3",
      "left-open@3",
    ]);
    const quiet = watchArtifacts(streamOf(events), { onViolation: () => undefined });
    expect(await collect(quiet)).toEqual(events);
  });

  it("does not blame a stream for what its reader did not wait for", async () => {
    const found: ArtifactViolation[] = [];
    const watched = watchArtifacts(streamOf([update("a"), completed]), {
      onViolation: (violation) => void found.push(violation),
    });
    for await (const _ of watched) break;
    expect(found).toEqual([]);
  });

  it("finds the same event by event as in a whole", () => {
    const events = [update("a"), update("a"), completed, update("c")];
    const checker = createArtifactChecker();
    const one = [...events.flatMap((event) => checker.push(event)), ...checker.end()];
    expect(one).toEqual(checkArtifactStream(events));
  });
});
