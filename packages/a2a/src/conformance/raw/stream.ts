import { createSseReader, type SseFrame } from "../../capture/sse-reader.ts";
import { parseJson, recordOf, type JsonRecord } from "../../wire/json.ts";
import type { Binding } from "../requirement.ts";
import { Violation } from "../verdict.ts";
import { MAX_BYTES, readAnswer, rpcOutcome, type Answer, type Fault } from "./answer.ts";

export const PAYLOADS = ["task", "message", "statusUpdate", "artifactUpdate"] as const;
export type Payload = (typeof PAYLOADS)[number];

/** One event of a stream. */
export interface StreamEvent {
  /** Of the event stream; empty where the server gave none. */
  readonly event: string;
  /** The whole data; undefined when it is no JSON. */
  readonly body: unknown;
  /** Undefined for what is no StreamResponse with one payload. */
  readonly payload: Payload | undefined;
  /** Of the payload. */
  readonly value: JsonRecord;
  readonly fault: Fault | undefined;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** What came instead of a stream. */
  readonly plain: Answer | undefined;
  /** Undefined when the stream has ended. */
  next(): Promise<StreamEvent | undefined>;
  /** Throws a `Violation` where there are more than anybody would send in answer to a prompt of ours. */
  rest(): Promise<readonly StreamEvent[]>;
  close(): Promise<void>;
}

const MAX_EVENT_BYTES = 4 * 1024 * 1024;
/** The smallest are of a few bytes, and take some hundred as they are kept. */
const MAX_EVENTS = 50_000;

export async function openStream(binding: Binding, response: Response): Promise<EventStream> {
  const { status, headers } = response;
  const isStream = (headers.get("content-type") ?? "").startsWith("text/event-stream");
  const plain = isStream ? undefined : await readAnswer(binding, response);
  const frames = framesOf(isStream ? response.body : null);
  const next = async (): Promise<StreamEvent | undefined> => {
    const frame = await frames.next();
    return frame.done === true ? undefined : readEvent(binding, frame.value);
  };
  const close = async (): Promise<void> => {
    await frames.return(undefined);
  };
  return {
    status,
    headers,
    plain,
    next,
    rest: () => restOf(next, close),
    close,
  };
}

/** Reads all events; throws a `Violation` where there are too many. */
export async function restOf(
  next: EventStream["next"],
  close: EventStream["close"],
): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for (let event = await next(); event !== undefined; event = await next())
    if (events.push(event) > MAX_EVENTS) {
      await close();
      throw new Violation(`The stream goes on after ${MAX_EVENTS.toLocaleString("en-US")} events.`);
    }
  return events;
}

async function* framesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<SseFrame, undefined> {
  if (body === null) return undefined;
  const sse = createSseReader(MAX_EVENT_BYTES);
  const reader = body.getReader();
  let bytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length;
      if (bytes > MAX_BYTES) {
        const endless = new Violation(`The stream goes on after ${MAX_BYTES.toLocaleString("en-US")} bytes.`);
        await reader.cancel(endless);
        throw endless;
      }
      yield* sse.push(next.value);
    }
    yield* sse.end();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return undefined;
}

function readEvent(binding: Binding, frame: SseFrame): StreamEvent {
  const body = parseJson(frame.data);
  const { result, fault } =
    binding === "JSONRPC"
      ? rpcOutcome(body)
      : { result: body, fault: recordOf(body)?.["error"] === undefined ? undefined : restFault(body) };
  return { event: frame.event, body, ...payloadOf(recordOf(result) ?? {}), fault };
}

/** The one payload of a StreamResponse. */
export function payloadOf(response: JsonRecord): Pick<StreamEvent, "payload" | "value"> {
  const present = PAYLOADS.filter((name) => recordOf(response[name]) !== undefined);
  const payload = present.length === 1 ? present[0] : undefined;
  return { payload, value: payload === undefined ? {} : (recordOf(response[payload]) ?? {}) };
}

function restFault(body: unknown): Fault | undefined {
  const error = recordOf(recordOf(body)?.["error"]) ?? {};
  return rpcOutcome({ error: { ...error, data: error["details"] } }).fault;
}
