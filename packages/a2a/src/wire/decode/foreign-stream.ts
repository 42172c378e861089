import { TaskState, type Artifact, type Message, type Task } from "@a2a-js/sdk";
import type { AgentEvent, AgentEventBody } from "@troupe/stream";

import { textOf } from "../parts.ts";
import { foreignAsk } from "./foreign-ask.ts";
import { foreignFinish } from "./foreign-finish.ts";
import { isResultName, type ForeignItem } from "./foreign-item.ts";

/**
 * Makes the best of an agent that knows nothing of our events: artifacts with text become items,
 * status messages on the way become narration, the end becomes a finish.
 */
export interface ForeignStream {
  artifact(artifact: Artifact, append: boolean): readonly AgentEvent[];
  status(state: TaskState, message: Message | undefined): readonly AgentEvent[];
  snapshot(task: Task): readonly AgentEvent[];
  /** The answer of an agent that opens no task. */
  message(message: Message): readonly AgentEvent[];
  /** Settles every item and finishes, by the state the task is in. */
  finish(state: TaskState, message: Message | undefined): readonly AgentEvent[];
}

export function createForeignStream(at: { readonly agent: string; readonly runId: string }): ForeignStream {
  const items = new Map<string, ForeignItem>();
  const told = new Set<string>();
  let seq = 0;

  const emit = (body: AgentEventBody): AgentEvent => ({ v: 1, ...at, seq: seq++, attempt: 1, ...body });

  const take = (artifact: Artifact, append: boolean): readonly AgentEvent[] => {
    const events: AgentEvent[] = [];
    const { artifactId, name, metadata } = artifact;
    const text = textOf(artifact.parts);
    // Another name under a known id is another artifact: the text of the one before is not its beginning.
    const first = items.get(artifactId);
    const itemId = first === undefined || first.name === name ? artifactId : `${artifactId}/${name}`;
    const known = items.get(itemId);
    const answer = metadata?.["is_final_answer"] === true;
    const item: ForeignItem = known ?? {
      itemId,
      name,
      text: "",
      parts: [],
      born: answer ? "answer" : "open",
      narration: metadata?.["is_narration"] === true && !answer,
      ofStep: typeof metadata?.["plan_step_id"] === "string",
      shown: false,
    };
    items.set(itemId, item);
    if (append) item.parts.push(...artifact.parts);
    else item.parts = [...artifact.parts];
    item.narration = item.born === "open" && (item.narration || metadata?.["is_narration"] === true);
    // What is appended is not compared with what was there: of a long text each piece would cost all of it.
    const extended = append || text.startsWith(item.text);
    const delta = append || !extended ? text : text.slice(item.text.length);
    item.text = append ? item.text + text : text;
    if (isResultName(name) || (extended && delta === "")) return events;
    if (!item.shown || !extended)
      events.push(emit({ type: "text-start", itemId: item.itemId, role: item.born }));
    item.shown = true;
    events.push(emit({ type: "text-delta", itemId: item.itemId, delta }));
    return events;
  };

  const narrate = (message: Message): readonly AgentEvent[] => {
    const text = textOf(message.parts);
    if (text === "" || told.has(message.messageId)) return [];
    told.add(message.messageId);
    const itemId = `status:${message.messageId || told.size}`;
    return [
      emit({ type: "text-start", itemId, role: "open" }),
      emit({ type: "text-delta", itemId, delta: text }),
      emit({ type: "text-role", itemId, role: "narration" }),
      emit({ type: "text-end", itemId }),
    ];
  };

  const stream: ForeignStream = {
    artifact: take,
    status: (_state, message) => (message === undefined ? [] : narrate(message)),
    snapshot: (task) => task.artifacts.flatMap((artifact) => take(artifact, false)),
    message(message) {
      const parts = message.parts;
      const item = { artifactId: message.messageId || "message", name: "", description: "", parts };
      const started = take({ ...item, metadata: { is_final_answer: true }, extensions: [] }, false);
      return [...started, ...stream.finish(TaskState.TASK_STATE_COMPLETED, undefined)];
    },
    finish(state, message) {
      const all = [...items.values()];
      const request = foreignAsk({ state, message, items: all, ...at });
      const asked = request === undefined ? [] : [{ type: "input-required", request } as const];
      return [...asked, ...foreignFinish({ state, message, items: all, request })].map(emit);
    },
  };
  return stream;
}
