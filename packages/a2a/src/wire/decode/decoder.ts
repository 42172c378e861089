import type { TaskState } from "@a2a-js/sdk";
import { unreachable, type AgentEvent } from "@troupe/stream";

import type { Metadata, WireEvent } from "../parts.ts";
import { readRecord } from "../records.ts";
import { isSettled } from "../state.ts";
import { wellFormedEvents } from "../well-formed.ts";
import { createForeignStream } from "./foreign-stream.ts";
import { createOwnStream } from "./own-stream.ts";

export interface DecoderOptions {
  /** Name and run for the events of an agent that does not send its own. */
  readonly agent: string;
  readonly runId: string;
}

/**
 * A2A updates back to AgentEvents. Lossless for servers of ours, sensible for others. A task that
 * arrives as a snapshot, also again after a broken stream, adds only what is new. The run's finish
 * comes last and once; `finished` tells that it came.
 */
export interface Decoder {
  push(event: WireEvent): readonly AgentEvent[];
  finished(): boolean;
}

/** For one turn of a task, from its first update on; `push` answers what the update adds, often nothing. */
export function createDecoder(options: DecoderOptions): Decoder {
  const own = createOwnStream();
  const foreign = createForeignStream(options);
  const clean = wellFormedEvents();
  let ours = false;
  let finished = false;

  const notice = (metadata: Metadata | undefined): void => {
    ours ||= readRecord(metadata) !== undefined;
  };
  const settle = (
    state: TaskState | undefined,
    message: Parameters<typeof foreign.finish>[1],
  ): readonly AgentEvent[] => {
    if (state === undefined || !isSettled(state)) return [];
    finished = true;
    const finish = own.finish();
    return finish === undefined ? foreign.finish(state, message) : [finish];
  };

  const decode = (event: WireEvent): readonly AgentEvent[] => {
    if (finished) return [];
    switch (event.$case) {
      case "message":
        finished = true;
        return foreign.message(event.value);
      case "task": {
        const { status, metadata, artifacts } = event.value;
        notice(metadata);
        for (const artifact of artifacts) notice(artifact.metadata);
        const taken = ours ? own.snapshot(event.value) : foreign.snapshot(event.value);
        return [...taken, ...settle(status?.state, status?.message)];
      }
      case "artifactUpdate": {
        const { artifact, append } = event.value;
        if (artifact === undefined) return [];
        notice(artifact.metadata);
        return ours ? own.artifact(artifact, append) : foreign.artifact(artifact, append);
      }
      case "statusUpdate": {
        const { status, metadata } = event.value;
        notice(metadata);
        const told = ours ? own.statusMetadata(metadata) : [];
        if (isSettled(status?.state)) return [...told, ...settle(status?.state, status?.message)];
        return ours || status === undefined ? told : foreign.status(status.state, status.message);
      }
      default:
        return unreachable(event);
    }
  };

  return {
    push: (event) => decode(event).map(clean),
    finished() {
      return finished;
    },
  };
}
