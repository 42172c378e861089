import type { Artifact, Message, Part, TaskState } from "@a2a-js/sdk";
import { TaskState as State } from "@a2a-js/sdk";
import {
  unreachable,
  type AgentEvent,
  type AgentEventOf,
  type Clock,
  type InputRequest,
} from "@troupe/stream";

import { ARTIFACT_NAMES, EXT } from "../extension.ts";
import type { Ledger } from "../ledger.ts";
import { agentMessage, dataPart, filePart, textPart, type Metadata } from "../parts.ts";
import type { EventsRecord } from "../records.ts";
import { stateOf } from "../state.ts";
import { wellFormed } from "../well-formed.ts";
import { askPart } from "./ask.ts";
import { describe } from "./describe.ts";
import { resultArtifact, statusText } from "./finish.ts";
import { createPlanArtifacts } from "./plan-artifact.ts";
import { createTextItems } from "./text-items.ts";

type Entry = EventsRecord["events"][number];

/** 40 ms: below what a reader notices, above the pace of tokens. */
export const DEFAULT_COALESCE_MS = 40;

export interface EncoderOptions {
  readonly task: { readonly id: string; readonly contextId: string };
  readonly ledger: Ledger;
  /** Emits a status update of the task. */
  readonly status: (state: TaskState, message: Message | undefined, metadata: Metadata) => void;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Turn of the task, counted from 1. */
  readonly turn: number;
  /** Where the numbering of what is emitted begins, when this turn was emitted to before. */
  readonly firstOrder?: number;
  /** Artifacts of the task's earlier turns: a plan that was begun there is continued. */
  readonly earlier?: readonly Artifact[];
  /** Results as data parts with the whole AgentResponse instead of text. */
  readonly structured?: boolean;
  /** Sentences for the last status of the turn, such as which files were not read. */
  readonly notes?: readonly string[];
  /** Milliseconds for which text is gathered. */
  readonly coalesceMs?: number;
}

/** Turns the events of one run into A2A updates. After the run's own finish it takes no more. */
export interface Encoder {
  push(event: AgentEvent): void;
  ended(): boolean;
}

/**
 * For one turn: artifacts leave through the ledger, states through `status`, text gathered for `coalesceMs`
 * at most, and never behind what came after it. The finish closes every artifact and is the last status.
 */
export function createEncoder(options: EncoderOptions): Encoder {
  const { task, ledger, turn, clock, newId, structured = false } = options;
  let order = options.firstOrder ?? 0;
  let ended = false;
  /** What the run and its steps ask, by step, until the finish says that it waits for it. */
  const asked = new Map<string, InputRequest>();
  let pending: Entry[] = [];
  let cancelTimer: (() => void) | undefined;
  const nextOrder = (): number => order++;
  const coalesceMs = options.coalesceMs ?? DEFAULT_COALESCE_MS;

  const record = (events: readonly Entry[]): EventsRecord => ({ v: 1, kind: "events", turn, events });
  const metadata = (event: AgentEvent, entries: readonly Entry[], extra: Metadata = {}): Metadata => ({
    ...extra,
    ...(event.stepId === undefined ? {} : { plan_step_id: event.stepId }),
    [EXT]: record(entries),
  });
  const plans = createPlanArtifacts({ ledger, nextOrder, metadata, earlier: options.earlier ?? [] });
  const text = createTextItems({
    ledger,
    clock,
    coalesceMs,
    turn,
    nextOrder,
    // A step's answer is narration of the run, unless the plan passes it through.
    isRunText: ({ runId, stepId }) => stepId === undefined || plans.passesThrough(runId, stepId),
  });

  const flushPending = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (pending.length === 0) return;
    const events = pending;
    pending = [];
    options.status(State.TASK_STATE_WORKING, undefined, { [EXT]: record(events) });
  };
  const flush = (): void => {
    text.flush();
    flushPending();
  };
  /** For what leaves no artifact: it rides in status metadata, gathered like text. */
  const later = (event: AgentEvent): void => {
    text.flush();
    pending.push({ order: nextOrder(), event });
    cancelTimer ??= clock.schedule(coalesceMs, flushPending);
  };
  /** An artifact that is whole from the start. */
  const once = (
    event: AgentEvent,
    wanted: string,
    whole: {
      readonly name: string;
      readonly description: string;
      readonly part: Part;
      readonly extra?: Metadata;
    },
  ): void => {
    flush();
    const scope = event.stepId === undefined ? "" : `${event.stepId}/${event.attempt}/`;
    const entry = { order: nextOrder(), event };
    const { name, description, part, extra } = whole;
    const content = { name, description, parts: [part] as const, metadata: metadata(event, [entry], extra) };
    ledger.create(ledger.freeId(`${scope}${wanted}`), content, { close: true });
  };

  const finish = (event: AgentEventOf<"finish">): void => {
    const result = resultArtifact(event, structured);
    const own = event.stepId === undefined;
    if (own) text.end();
    if (result !== undefined) {
      const told = { ...event, response: result.response };
      const { name, part } = result;
      const description = describe.result(event, part.content?.$case === "data");
      once(told, name, { name, description, part, extra: { outcome: event.outcome } });
    } else if (!own) later(event);
    if (!own) return;
    flush();
    ended = true;
    ledger.closeAll();
    const open = event.outcome === "input-required" ? asked : new Map<string, InputRequest>();
    const requests = [...open.values()];
    const lines = [statusText(event, open), ...(options.notes ?? [])];
    const parts = [textPart(lines.join("\n")), ...requests.map((request) => dataPart(request))];
    const state = stateOf(event.outcome, { asked: requests, rejected: event.rejected === true });
    options.status(state, agentMessage(newId(), task, parts), {
      outcome: event.outcome,
      ...(event.error === undefined ? {} : { error_code: event.error.code }),
      [EXT]: record(result === undefined ? [{ order: nextOrder(), event }] : []),
    });
  };

  return {
    push(given) {
      if (ended) return;
      // Halves of a pair may come in two deltas; text items put them together.
      const event = given.type === "text-delta" ? given : wellFormed(given);
      switch (event.type) {
        case "text-start":
        case "text-delta":
        case "text-role":
        case "text-end":
          if (event.type !== "text-delta") flushPending();
          if (!text.push(event)) later(wellFormed(event));
          return;
        case "tool-start":
          return once(event, `tool-start:${event.callId}`, {
            name: ARTIFACT_NAMES.toolStart,
            description: describe.toolStart(event),
            part: textPart(event.tool),
          });
        case "tool-end":
          return once(event, `tool-end:${event.callId}`, {
            name: ARTIFACT_NAMES.toolEnd,
            description: describe.toolEnd(event),
            part: textPart(event.summary),
            extra: { status: event.status },
          });
        case "plan-update":
        case "step-status":
          if (event.type === "step-status" && event.state !== "input_required") asked.delete(event.step);
          // What the run itself asks is about its plan, and has its answer once that is told again.
          else if (event.type === "plan-update" && event.stepId === undefined) asked.delete("");
          flush();
          return plans.push(event);
        case "artifact": {
          const { id, url, name, mediaType } = event.artifact;
          const part = filePart(url, name, mediaType);
          return once(event, `file:${id}`, { name, description: describe.file(event), part });
        }
        case "input-required":
          asked.set(event.stepId ?? "", event.request);
          return once(event, `form:${event.request.requestId}`, {
            name: ARTIFACT_NAMES.form,
            description: describe.input(event),
            part: askPart(event.request),
          });
        case "citation":
        case "usage":
          return later(event);
        case "attempt-start":
          text.supersede(event);
          return later(event);
        case "finish":
          return finish(event);
        default:
          return unreachable(event);
      }
    },
    ended() {
      return ended;
    },
  };
}
