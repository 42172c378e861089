import { TaskState } from "@a2a-js/sdk";
import { emptyTurn, reduceTurn, type AgentEventOf, type TurnState } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { artifactOf, dataPart, textPart, type Metadata, type WireEvent } from "../parts.ts";
import { createDecoder } from "./decoder.ts";

const ids = { taskId: "t", contextId: "c" };

interface Sent {
  readonly id: string;
  readonly name?: string;
  readonly text?: string;
  readonly data?: object;
  readonly append?: boolean;
  readonly metadata?: Metadata;
}

/** What a reader has of these artifacts of an agent that is not ours, once its task is completed. */
function read(sent: readonly Sent[]): {
  readonly turn: TurnState;
  readonly messages: readonly string[];
  readonly finish: AgentEventOf<"finish">;
} {
  const wire: WireEvent[] = sent.map(({ id, name = "streaming_result", text, data, append, metadata }) => ({
    $case: "artifactUpdate",
    value: {
      ...ids,
      artifact: artifactOf(id, name, [data === undefined ? textPart(text ?? "") : dataPart(data)], metadata),
      append: append ?? false,
      lastChunk: false,
      metadata: undefined,
    },
  }));
  const status = { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: undefined };
  wire.push({ $case: "statusUpdate", value: { ...ids, status, metadata: undefined } });
  const decoder = createDecoder({ agent: "foreign", runId: "t" });
  const events = wire.flatMap((event) => decoder.push(event));
  const turn = events.reduce(reduceTurn, emptyTurn);
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("no finish");
  const messages = turn.items.flatMap((item) =>
    item.kind === "message" ? [`${item.role}: ${item.text}`] : [],
  );
  return { turn, messages, finish };
}

const answer = { is_final_answer: true };
const narration = { is_narration: true };

describe("artifacts of an agent that is not ours", () => {
  it("are told apart by their fields, never by their wording", () => {
    const { turn, messages } = read([
      { id: "1", text: "✅ Backup completed on host a\n", metadata: answer },
      { id: "1", text: "and 🔧 Calling support is next: no error", append: true, metadata: answer },
      { id: "2", text: "Done, here is the final answer: [FINAL ANSWER]", metadata: narration },
    ]);
    expect(messages).toEqual([
      "answer: ✅ Backup completed on host a\nand 🔧 Calling support is next: no error",
      "narration: Done, here is the final answer: [FINAL ANSWER]",
    ]);
    expect(turn.items.map(({ kind }) => kind)).toEqual(["message", "message"]);
    expect(turn.content).toBe("✅ Backup completed on host a\nand 🔧 Calling support is next: no error");
  });

  it("that are marked both ways are answer", () => {
    const { turn } = read([{ id: "1", text: "42", metadata: { ...answer, ...narration } }]);
    expect(turn.content).toBe("42");
  });

  it("keep appending each to its own id, however they are mixed", () => {
    const { messages } = read([
      { id: "b", text: "B1" },
      { id: "c", text: "C1" },
      { id: "b", text: "B2", append: true },
      { id: "c", text: "C2", append: true },
      { id: "b", text: "B3", append: true },
    ]);
    expect(messages).toEqual(["answer: B1B2B3", "answer: C1C2"]);
  });

  it.each([true, false])("under a known id with a new name are another one (append=%s)", (append) => {
    const { turn, finish } = read([
      { id: "s", text: "abc" },
      { id: "s", name: "complete_result", text: "abcdef", append },
    ]);
    expect(finish.response.content).toBe("abcdef");
    expect(turn.content).toBe("abcdef");
    expect(JSON.stringify(turn)).not.toContain("abcabc");
  });

  it("of a sub-agent are not the answer of the task: its own result is, and else its own answer", () => {
    const sub = { id: "d", name: "complete_result", data: { answer: 7 } };
    const own = { id: "m", text: "more text", metadata: answer };
    const final = { id: "f", name: "final_result", text: "all of it" };
    expect(read([sub, own]).finish.response).toMatchObject({
      content: "more text",
      data: { complete_result: { answer: 7 } },
    });
    expect(read([sub, own, final]).finish.response.content).toBe("all of it");
    expect(read([final, sub]).finish.response.content).toBe("all of it");
    const ofStep = {
      id: "d",
      name: "complete_result",
      text: "sub answer",
      metadata: { plan_step_id: "find" },
    };
    expect(read([ofStep, { id: "m", text: "summary" }]).finish.response.content).toBe("summary");
  });

  it("that only a sub-agent completed are its answer", () => {
    const { finish } = read([{ id: "s", name: "complete_result", text: "sub answer" }]);
    expect(finish.response.content).toBe("sub answer");
  });
});
