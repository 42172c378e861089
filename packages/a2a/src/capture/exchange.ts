import type { Clock } from "@troupe/stream";

import { arrivals, readWhole } from "./arrivals.ts";
import { askCall, getCall, type Call, type Question } from "./calls.ts";
import type { CapturedEvent, CaptureEnding } from "./capture-record.ts";
import type { Endpoint } from "./endpoint.ts";
import { isSettledState, readEvent, type SeenEvent } from "./read-event.ts";
import { createSseReader, type SseFrame } from "./sse-reader.ts";

export interface Exchange {
  readonly endpoint: Endpoint;
  readonly question: Question;
  readonly maxEventBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds since the start. */
  readonly now: () => number;
  readonly post: (call: Call) => Promise<Response>;
}

export interface Ending {
  readonly end: CaptureEnding;
  readonly error?: string;
}

/** Between two looks at a task that is not streamed. */
const POLL_MS = 500;

/** A server gets so long to end a stream on which the task has come to rest. */
const GRACE_MS = 2_000;

/** Answers that mean: not as a stream. */
const NOT_STREAMED: ReadonlySet<string> = new Set([
  "-32601",
  "-32004",
  "UNSUPPORTED_OPERATION",
  "UNIMPLEMENTED",
  "METHOD_NOT_FOUND",
]);

/**
 * One question and all that comes back: as a stream where the agent streams, else by a call that waits
 * for the end, and by looking again until the task has come to rest. Throws what the connection throws.
 */
export async function* exchange(run: Exchange): AsyncGenerator<CapturedEvent, Ending, undefined> {
  const { endpoint, question } = run;
  let taken: Taken | undefined;
  if (endpoint.streaming !== false) {
    const response = await run.post(askCall(endpoint, question, "stream"));
    if (isEventStream(response)) return yield* streamed(run, response);
    taken = await take(run, response);
    yield taken.event;
  }
  if (taken === undefined || (taken.refusal !== undefined && taken.notStreamed)) {
    taken = await take(run, await run.post(askCall(endpoint, question, "send")), "send");
    yield taken.event;
  }
  for (let last = taken.event.raw; ;) {
    if (taken.refusal !== undefined) return { end: "refused", error: taken.refusal };
    if (taken.unfinishedTask === undefined) return { end: "closed" };
    await run.clock.sleep(POLL_MS, run.signal);
    taken = await take(run, await run.post(getCall(endpoint, taken.unfinishedTask)), "poll");
    // An answer that says nothing new is no event.
    if (taken.event.raw !== last) yield taken.event;
    last = taken.event.raw;
  }
}

interface Taken {
  readonly event: CapturedEvent;
  /** Why it was refused, where it was. */
  readonly refusal?: string;
  readonly notStreamed: boolean;
  /** Id of the task to look at again. */
  readonly unfinishedTask?: string;
}

/** An answer that is no stream. */
async function take(run: Exchange, response: Response, from?: "send" | "poll"): Promise<Taken> {
  const { t, text, bytes, cut } = await readWhole(response, run.now, run.maxEventBytes);
  const { status } = response;
  const event: CapturedEvent = {
    t,
    raw: text,
    bytes,
    ...(from === undefined ? {} : { from }),
    ...(status === 200 ? {} : { status }),
    ...(cut ? { cut: true } : {}),
  };
  const seen = readEvent(text);
  const refusal = refusalOf(seen, status);
  const notStreamed =
    [404, 405, 501].includes(status) || (seen.kind === "error" && NOT_STREAMED.has(seen.code));
  return {
    event,
    notStreamed,
    ...(refusal === undefined ? {} : { refusal }),
    ...(seen.kind === "task" && !isSettledState(seen.state) ? { unfinishedTask: seen.taskId } : {}),
  };
}

function refusalOf(seen: SeenEvent, status: number): string | undefined {
  if (seen.kind === "error") return `${seen.message || "an error"} (${seen.code || status})`;
  if (status < 200 || status > 299) return `HTTP ${status}`;
  return seen.kind === "unreadable" ? "an answer that is not A2A" : undefined;
}

async function* streamed(
  run: Exchange,
  response: Response,
): AsyncGenerator<CapturedEvent, Ending, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { end: "closed" };
  const sse = createSseReader(run.maxEventBytes);
  let t = run.now();
  let failed = "";
  let leftOpen = false;
  let stopWaiting: (() => void) | undefined;
  try {
    for await (const arrival of arrivals(reader, run.now)) {
      t = arrival.t;
      for (const frame of sse.push(arrival.bytes)) {
        const seen = frame.cut ? undefined : readEvent(frame.data);
        if (seen?.kind === "error") failed = refusalOf(seen, 200) ?? "";
        if (seen !== undefined && hasSettled(seen))
          stopWaiting ??= run.clock.schedule(GRACE_MS, () => {
            leftOpen = true;
            void reader.cancel().catch(() => undefined);
          });
        yield captured(frame, t);
      }
    }
    for (const frame of sse.end()) yield captured(frame, t);
  } catch (error) {
    for (const frame of sse.end()) yield captured(frame, t);
    throw error;
  } finally {
    stopWaiting?.();
    await reader.cancel().catch(() => undefined);
  }
  if (leftOpen) return { end: "left-open" };
  return failed === "" ? { end: "closed" } : { end: "refused", error: failed };
}

function hasSettled(seen: SeenEvent): boolean {
  if (seen.kind === "message") return true;
  return (seen.kind === "task" || seen.kind === "status") && isSettledState(seen.state);
}

function captured(frame: SseFrame, t: number): CapturedEvent {
  return {
    t,
    raw: frame.data,
    bytes: frame.bytes,
    ...(frame.event === "" ? {} : { event: frame.event }),
    ...(frame.cut ? { cut: true } : {}),
    ...(frame.unterminated ? { unterminated: true } : {}),
  };
}

function isEventStream(response: Response): boolean {
  return response.headers.get("Content-Type")?.toLowerCase().startsWith("text/event-stream") === true;
}
