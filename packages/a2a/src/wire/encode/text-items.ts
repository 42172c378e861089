import { unreachable, type AgentEventOf, type Clock } from "@troupe/stream";

import { ARTIFACT_NAMES, EXT } from "../extension.ts";
import type { Ledger } from "../ledger.ts";
import { textPart, type Metadata } from "../parts.ts";
import type { TextRecord } from "../records.ts";
import { describe } from "./describe.ts";
import { wholeCharacters } from "../well-formed.ts";

type TextEvent = AgentEventOf<"text-start" | "text-delta" | "text-role" | "text-end">;

interface Item {
  readonly artifactId: string;
  /** Settled when the item begins: a flag never changes within an artifact. */
  readonly flag: "is_final_answer" | "is_narration";
  record: TextRecord;
  /** Of the last delta put in; the record has it when it goes out. */
  seq: number;
  created: boolean;
  buffer: string;
}

export interface TextItemsOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Text is gathered for this long before it goes out, the first chunk of an item excepted. */
  readonly coalesceMs: number;
  readonly turn: number;
  readonly nextOrder: () => number;
  /** False for the text of a step whose answer is not the run's. */
  readonly isRunText: (event: TextEvent) => boolean;
}

/**
 * Text items as artifacts, one id each. The first chunk of an item goes out alone and at once, the
 * rest in batches by time. An artifact stays open until its role is settled, because a closed one
 * could not be told its role any more.
 */
export interface TextItems {
  /** False when the item is unknown or closed: the caller finds another way for that event. */
  push(event: TextEvent): boolean;
  /** Empties what is still open of the items that an attempt supersedes. */
  supersede(event: AgentEventOf<"attempt-start">): void;
  /** Sends all that waits, so that what follows stands after it. */
  flush(): void;
  /** The same at the end of the run, when no second half of a character can come any more. */
  end(): void;
}

export function createTextItems(options: TextItemsOptions): TextItems {
  const { ledger, clock, coalesceMs, turn, nextOrder } = options;
  const items = new Map<string, Item>();
  /** Items with text, a start or a role that was not sent, oldest first. */
  const waiting = new Set<Item>();
  /** Items that hold back the first half of a character. */
  const halves = new Set<Item>();
  let ended = false;
  let cancelTimer: (() => void) | undefined;

  const send = (item: Item): void => {
    waiting.delete(item);
    item.record = { ...item.record, seq: item.seq };
    const { born, role, end } = item.record;
    const close = end !== undefined && (born === "answer" || role !== undefined);
    const whole = ended || item.record.end !== undefined ? item.buffer : wholeCharacters(item.buffer);
    item.buffer = item.buffer.slice(whole.length);
    if (item.buffer !== "") halves.add(item);
    else halves.delete(item);
    const parts = [textPart(whole.toWellFormed())] as const;
    const metadata = metadataOf(item);
    if (item.created) ledger.append(item.artifactId, { parts, metadata, close });
    else {
      const description = describe.text(item.record, item.flag === "is_final_answer");
      ledger.create(item.artifactId, { name: ARTIFACT_NAMES.text, description, parts, metadata }, { close });
    }
    item.created = true;
  };

  const flush = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    for (const item of waiting) send(item);
  };
  const supersede = ({ stepId, attempt, items: named }: AgentEventOf<"attempt-start">): void => {
    flush();
    for (const item of named === undefined ? [] : items.values()) {
      const { record, artifactId, flag } = item;
      if (record.stepId !== stepId || record.attempt >= attempt || !named?.includes(record.itemId)) continue;
      if (!item.created || !ledger.isOpen(artifactId)) continue;
      item.buffer = "";
      halves.delete(item);
      const description = describe.text(record, flag === "is_final_answer");
      ledger.clear(artifactId, { description, metadata: metadataOf(item) });
    }
  };
  const later = (item: Item): void => {
    waiting.add(item);
    cancelTimer ??= clock.schedule(coalesceMs, flush);
  };

  const start = (event: AgentEventOf<"text-start">): boolean => {
    const { runId, agent, attempt, stepId, itemId, role: born, seq } = event;
    flush();
    const artifactId = ledger.freeId(artifactIdOf(event));
    const item: Item = {
      artifactId,
      flag: born === "answer" && options.isRunText(event) ? "is_final_answer" : "is_narration",
      record: {
        v: 1,
        kind: "text",
        turn,
        order: nextOrder(),
        runId,
        agent,
        attempt,
        ...(stepId === undefined ? {} : { stepId }),
        itemId,
        born,
        start: seq,
        seq,
      },
      seq,
      created: false,
      buffer: "",
    };
    items.set(keyOf(event), item);
    waiting.add(item);
    return true;
  };

  return {
    supersede,
    flush,
    end() {
      ended = true;
      for (const item of halves) waiting.add(item);
      flush();
    },
    push(event) {
      if (event.type === "text-start") return start(event);
      const item = items.get(keyOf(event));
      if (item === undefined || (item.created && !ledger.isOpen(item.artifactId))) return false;
      switch (event.type) {
        case "text-delta":
          item.seq = event.seq;
          item.buffer += event.delta;
          if (item.created) {
            later(item);
            return true;
          }
          waiting.delete(item);
          flush();
          send(item);
          return true;
        case "text-role":
          item.record = { ...item.record, role: { as: event.role, seq: event.seq } };
          // Its end comes next as a rule, and one update tells both.
          if (item.record.end === undefined) later(item);
          else send(item);
          return true;
        case "text-end":
          item.record = { ...item.record, end: event.seq };
          send(item);
          return true;
        default:
          return unreachable(event);
      }
    },
  };
}

/** Two attempts, and two steps, may use the same item ids. Asked of every token, so it costs little. */
function keyOf({ stepId, attempt, itemId }: TextEvent): string {
  return stepId === undefined ? `${attempt} ${itemId}` : `${attempt}:${stepId.length} ${stepId}${itemId}`;
}

/** What is forwarded from a step carries the step and the attempt; what is the task's own does not. */
function artifactIdOf(event: TextEvent): string {
  if (event.stepId !== undefined) return `${event.stepId}/${event.attempt}/${event.itemId}`;
  return event.attempt === 1 ? event.itemId : `${event.attempt}/${event.itemId}`;
}

function metadataOf({ flag, record }: Item): Metadata {
  return {
    [flag]: true,
    ...(record.stepId === undefined ? {} : { plan_step_id: record.stepId }),
    [EXT]: record,
  };
}
