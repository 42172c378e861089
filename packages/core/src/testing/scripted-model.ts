import type { Json, Usage } from "@troupe/stream";

import { ModelError } from "../errors/model-error.ts";
import type { Model, ModelEvent, ModelRequest, StopReason } from "../ports/model.ts";

export interface ScriptedCall {
  readonly name: string;
  /** A string is sent as it is, so that it may be broken JSON. */
  readonly arguments: Json;
  /** `call-1`, `call-2`, ... over the whole script when absent. */
  readonly callId?: string;
}

/** What the model does at one call: text, then calls, then usage and the stop. */
export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: Partial<Usage>;
  /** `tool-calls` when there are calls, else `end`. */
  readonly stop?: StopReason;
  /** Takes the place of all of the above. */
  readonly events?: readonly ModelEvent[];
  /** Sizes of the pieces text and arguments are cut into, the last one repeating; whole when absent. */
  readonly split?: number | readonly number[];
  /** Thrown in the place of what would follow `failAfter` events; of the stop when that is absent. */
  readonly fail?: Error;
  readonly failAfter?: number;
  /** Waited for in front of event number `gateAt` (0, the first, when absent). */
  readonly gate?: Promise<unknown>;
  readonly gateAt?: number;
  /** Goes on waiting at the gate when the signal aborts, as a broken adapter would. */
  readonly deaf?: boolean;
  /** Looks at the request; may throw. */
  readonly expect?: (request: ModelRequest) => void;
}

export interface ScriptedModel extends Model {
  /** What it was asked so far. */
  readonly requests: readonly ModelRequest[];
  /** Throws when a step of the script was not used. */
  assertDone(): void;
}

/** A model that plays a script, and fails (`model.unscripted`) when it is asked once too often. */
export function scriptedModel(
  steps: readonly (ScriptedStep | ((request: ModelRequest) => ScriptedStep))[],
  options: { readonly id?: string } = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  let calls = 0;
  const nextCallId = (): string => `call-${++calls}`;
  return {
    id: options.id ?? "scripted",
    requests,
    async *stream(request, { signal }) {
      const entry = steps[requests.length];
      requests.push(request);
      if (entry === undefined) {
        throw new ModelError(
          "model.unscripted",
          `The script has ${steps.length} steps, but the model was asked ${requests.length} times. Last message: ${JSON.stringify(request.messages.at(-1))}`,
        );
      }
      const step = typeof entry === "function" ? entry(request) : entry;
      step.expect?.(request);
      yield* play(step, step.events ?? eventsOf(step, nextCallId), signal);
    },
    assertDone() {
      if (requests.length >= steps.length) return;
      throw new Error(`${steps.length - requests.length} of ${steps.length} scripted steps were not used.`);
    },
  };
}

/** A call of `finish` with every field, the neutral value where none is given. */
export function finishCall(content: string, fields: { readonly [field: string]: Json } = {}): ScriptedCall {
  return {
    name: "finish",
    arguments: {
      content,
      is_task_complete: true,
      require_user_input: false,
      user_input: "",
      input_fields: [],
      citation_ids: [],
      chart_ids: [],
      ...fields,
    },
  };
}

async function* play(
  step: ScriptedStep,
  events: readonly ModelEvent[],
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const failAt = step.fail === undefined ? Infinity : (step.failAfter ?? events.length - 1);
  for (const [index, event] of events.entries()) {
    if (step.gate !== undefined && index === (step.gateAt ?? 0)) await wait(step.gate, signal, step.deaf);
    if (step.deaf !== true) signal.throwIfAborted();
    if (index >= failAt) break;
    yield event;
  }
  if (step.fail !== undefined) throw step.fail;
}

async function wait(gate: Promise<unknown>, signal: AbortSignal, deaf = false): Promise<void> {
  if (deaf) {
    await gate;
    return;
  }
  signal.throwIfAborted();
  await new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    gate.then(resolve, reject);
  });
}

function eventsOf(step: ScriptedStep, nextCallId: () => string): ModelEvent[] {
  const events: ModelEvent[] = [];
  for (const text of cut(step.text ?? "", step.split)) events.push({ type: "text-delta", text });
  for (const call of step.calls ?? []) {
    const callId = call.callId ?? nextCallId();
    const args = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    events.push({ type: "tool-call-start", callId, name: call.name });
    for (const delta of cut(args, step.split)) events.push({ type: "tool-call-delta", callId, delta });
    events.push({ type: "tool-call-end", callId });
  }
  if (step.usage !== undefined) {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 };
    events.push({ type: "usage", usage: { ...none, ...step.usage } });
  }
  const reason = step.stop ?? (step.calls === undefined || step.calls.length === 0 ? "end" : "tool-calls");
  events.push({ type: "stop", reason });
  return events;
}

/** Cuts by UTF-16 units, so surrogate pairs may fall apart as they do on a wire. */
function cut(text: string, split: ScriptedStep["split"]): string[] {
  if (split === undefined) return text === "" ? [] : [text];
  const sizes = typeof split === "number" ? [split] : split;
  const pieces: string[] = [];
  for (let at = 0, index = 0; at < text.length; index++) {
    const size = Math.max(1, sizes[Math.min(index, sizes.length - 1)] ?? 1);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}
