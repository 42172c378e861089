import type { Artifact, Task } from "@a2a-js/sdk";
import { agentResponseSchema } from "@troupe/core";
import type { AgentEvent, AgentEventOf } from "@troupe/stream";

import { dataOf, textOf, type Metadata } from "../parts.ts";
import { readRecord, type EventsRecord, type TextRecord } from "../records.ts";

interface Item {
  record: TextRecord;
  /** UTF-16 units of its text that were handed on. */
  length: number;
}

/**
 * Reads what a server of ours emitted, update by update or from a snapshot, and yields each event
 * once: a snapshot after a broken stream adds only what is new.
 */
export interface OwnStream {
  artifact(artifact: Artifact, append: boolean): readonly AgentEvent[];
  statusMetadata(metadata: Metadata | undefined): readonly AgentEvent[];
  snapshot(task: Task): readonly AgentEvent[];
  /** The run's own finish, once it came; it is never among the events above. */
  finish(): AgentEventOf<"finish"> | undefined;
}

export function createOwnStream(): OwnStream {
  const items = new Map<string, Item>();
  const seen = new Set<string>();
  let turn = 0;
  let finish: AgentEventOf<"finish"> | undefined;

  /** False for what belongs to a turn that is over. */
  const inTurn = (record: { readonly turn: number }): boolean => {
    turn = Math.max(turn, record.turn);
    return record.turn === turn;
  };

  const takeText = (artifact: Artifact, record: TextRecord, append: boolean): readonly AgentEvent[] => {
    const text = textOf(artifact.parts);
    const known = items.get(artifact.artifactId);
    const added = append ? text : text.slice(known?.length ?? 0);
    items.set(artifact.artifactId, { record, length: (known?.length ?? 0) + added.length });
    return textEvents(record, known?.record, added);
  };

  const takeEvents = (record: EventsRecord, artifact?: Artifact): AgentEvent[] => {
    const fresh: AgentEvent[] = [];
    for (const { order, event } of record.events) {
      const key = `${record.turn}/${order}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const whole = event.type === "finish" ? withResponse(event, artifact) : event;
      if (whole.type === "finish" && whole.stepId === undefined) finish = whole;
      else fresh.push(whole);
    }
    return fresh;
  };

  return {
    artifact(artifact, append) {
      const record = readRecord(artifact.metadata);
      if (record === undefined || !inTurn(record)) return [];
      return record.kind === "text" ? takeText(artifact, record, append) : takeEvents(record, artifact);
    },
    statusMetadata(metadata) {
      const record = readRecord(metadata);
      return record?.kind === "events" && inTurn(record) ? takeEvents(record) : [];
    },
    snapshot(task) {
      const found = task.artifacts.map((artifact) => ({ artifact, record: readRecord(artifact.metadata) }));
      const onTask = readRecord(task.metadata);
      for (const { record } of [...found, { record: onTask }]) if (record !== undefined) inTurn(record);
      const replay: { order: number; take: () => readonly AgentEvent[] }[] = [];
      const entries = (record: EventsRecord, artifact?: Artifact): void => {
        for (const entry of record.events)
          replay.push({
            order: entry.order,
            take: () => takeEvents({ ...record, events: [entry] }, artifact),
          });
      };
      for (const { artifact, record } of found) {
        if (record === undefined || record.turn !== turn) continue;
        if (record.kind === "events") entries(record, artifact);
        else replay.push({ order: record.order, take: () => takeText(artifact, record, false) });
      }
      if (onTask?.kind === "events" && onTask.turn === turn) entries(onTask);
      return replay.sort((a, b) => a.order - b.order).flatMap(({ take }) => take());
    },
    finish() {
      return finish;
    },
  };
}

/** What changed between two records of one item, as events. */
function textEvents(now: TextRecord, before: TextRecord | undefined, added: string): readonly AgentEvent[] {
  const { runId, agent, attempt, stepId, itemId } = now;
  const at = (seq: number) =>
    ({ v: 1, runId, seq, attempt, ...(stepId === undefined ? {} : { stepId }), agent }) as const;
  const events: AgentEvent[] = [];
  if (before === undefined) events.push({ ...at(now.start), type: "text-start", itemId, role: now.born });
  if (added !== "") events.push({ ...at(now.seq), type: "text-delta", itemId, delta: added });
  const settled: AgentEvent[] = [];
  if (now.role !== undefined && before?.role === undefined)
    settled.push({ ...at(now.role.seq), type: "text-role", itemId, role: now.role.as });
  if (now.end !== undefined && before?.end === undefined)
    settled.push({ ...at(now.end), type: "text-end", itemId });
  return [...events, ...settled.sort((a, b) => a.seq - b.seq)];
}

/** A structured result holds the response in its data part, and only there. */
function withResponse(event: AgentEventOf<"finish">, artifact: Artifact | undefined): AgentEventOf<"finish"> {
  if (artifact === undefined) return event;
  const [data] = dataOf(artifact.parts);
  if (data === undefined) return event;
  const response = agentResponseSchema.safeParse(data);
  return response.success ? { ...event, response: response.data } : event;
}
