import { StreamResponse, TaskState, type Task } from "@a2a-js/sdk";
import { virtualClock } from "@troupe/core/testing";
import type { AgentEvent } from "@troupe/stream";

import { liveTask } from "../wire/apply-event.ts";
import { createEncoder } from "../wire/encode/encoder.ts";
import { createLedger } from "../wire/ledger.ts";
import type { WireEvent } from "../wire/parts.ts";

export interface EncodedRun {
  /** All that was sent, as a client gets it; the task comes first. */
  readonly wire: readonly WireEvent[];
  /** The stored task after each of them. */
  readonly snapshots: readonly Task[];
}

/**
 * Encodes a run on a virtual clock, as a server of ours does, without the server. `pauses` lets the
 * timer that gathers text fall due after these events.
 */
export async function encodeRun(
  events: readonly AgentEvent[],
  options: { readonly structured: boolean; readonly pauses: ReadonlySet<number> },
): Promise<EncodedRun> {
  const clock = virtualClock();
  const task: Task = {
    id: "task",
    contextId: "context",
    status: { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined },
    artifacts: [],
    history: [],
    metadata: { "urn:troupe:a2a:events:v1": { v: 1, kind: "events", turn: 1, events: [] } },
  };
  const live = liveTask(task);
  const wire: WireEvent[] = [{ $case: "task", value: live.snapshot() }];
  const snapshots: Task[] = [live.snapshot()];
  const emit = (event: WireEvent): void => {
    live.apply(event);
    wire.push(event);
    snapshots.push(live.snapshot());
  };
  const encoder = createEncoder({
    task,
    ledger: createLedger({ task, emit }),
    status: (state, message, metadata) =>
      emit({
        $case: "statusUpdate",
        value: {
          taskId: task.id,
          contextId: task.contextId,
          status: { state, message, timestamp: undefined },
          metadata: { ...metadata },
        },
      }),
    clock,
    newId: () => "message",
    turn: 1,
    structured: options.structured,
  });
  for (const [at, event] of events.entries()) {
    encoder.push(event);
    if (options.pauses.has(at)) await clock.advance(50);
  }
  return { wire: wire.map(overTheWire), snapshots };
}

/** Through JSON and the SDK's codec, as a client gets it. */
export function overTheWire(payload: WireEvent): WireEvent {
  const json: unknown = JSON.parse(JSON.stringify(StreamResponse.toJSON({ payload })));
  const decoded = StreamResponse.fromJSON(json).payload;
  if (decoded === undefined) throw new Error("lost on the wire");
  return decoded;
}
