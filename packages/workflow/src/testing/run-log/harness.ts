import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";

import type { LoggedEvent, RunLog } from "../../engine/run-log.ts";

export type OpenRunLog = RunLog & { close(): void | Promise<void> };

/** Storage of its own for one case. */
export interface RunLogHarness {
  /** A log over that storage, beside those that are open: as another process opens it, where there are several. */
  readonly open: () => Promise<OpenRunLog>;
}

export interface RunLogCase {
  readonly name: string;
  readonly run: (harness: RunLogHarness) => Promise<void>;
}

/** Opens logs for the time of `body`. */
export async function using<N extends number>(
  harness: RunLogHarness,
  count: N,
  body: (...logs: N extends 1 ? [OpenRunLog] : [OpenRunLog, OpenRunLog]) => Promise<void>,
): Promise<void> {
  const logs: OpenRunLog[] = [];
  try {
    for (let i = 0; i < count; i++) logs.push(await harness.open());
    await body(...(logs as Parameters<typeof body>));
  } finally {
    for (const log of logs) await log.close();
  }
}

export function event(seq: number, body: AgentEventBody, stepId?: string): AgentEvent {
  const at = { v: EVENT_VERSION, runId: "r", seq, attempt: 1, agent: "o" } as const;
  return { ...at, ...(stepId === undefined ? {} : { stepId }), ...body };
}

export const text = (seq: number, delta = String(seq)): AgentEvent =>
  event(seq, { type: "text-delta", itemId: "i", delta });

export const finish = (seq: number, stepId?: string): AgentEvent =>
  event(seq, { type: "finish", outcome: "completed", response: EMPTY_RESPONSE, answerItems: [] }, stepId);

/** Far more than any case takes, so that one that hangs ends. */
const PATIENCE_MS = 30_000;

/** All from a position until the run's end, or until the reader leaves. */
export async function collect(
  log: RunLog,
  from = 0,
  options: { readonly runId?: string; readonly signal?: AbortSignal } = {},
): Promise<readonly LoggedEvent[]> {
  const { runId = "r", signal = AbortSignal.timeout(PATIENCE_MS) } = options;
  const seen: LoggedEvent[] = [];
  for await (const one of log.read(runId, { from, signal })) seen.push(one);
  return seen;
}

export const seqs = (events: readonly LoggedEvent[]): readonly number[] =>
  events.map(({ event }) => event.seq);
export const positions = (events: readonly LoggedEvent[]): readonly number[] =>
  events.map(({ position }) => position);
/** `from`, `from + 1` and so on. */
export const count = (length: number, from = 0): readonly number[] =>
  Array.from({ length }, (_, i) => from + i);
