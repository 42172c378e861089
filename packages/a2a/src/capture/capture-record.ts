/** What was asked of whom. The first line of a capture. */
export interface CaptureHeader {
  readonly v: 1;
  readonly kind: "a2a-capture";
  /** As it was given, without a query: that may hold a secret. */
  readonly url: string;
  /** Where the calls went, without a query. */
  readonly endpoint: string;
  readonly protocol: string;
  readonly binding: Binding;
  /** What its card says; empty where there was none. */
  readonly agent: string;
  readonly question: string;
  /** ISO 8601, the moment that all times count from. */
  readonly startedAt: string;
}

export type Binding = "JSONRPC" | "HTTP+JSON";

/** One event, or one whole answer of a call that does not stream, exactly as it came. */
export interface CapturedEvent {
  /**
   * Milliseconds from the moment the request was sent until the network chunk that completed the
   * event was read.
   */
  readonly t: number;
  /** The JSON as text, with its envelope. */
  readonly raw: string;
  /** Of the event as it arrived, also where `raw` is cut. */
  readonly bytes: number;
  /** The answer of which call, where it is not the stream. */
  readonly from?: "send" | "poll";
  /** HTTP status, where it is not 200. */
  readonly status?: number;
  /** Name of a server-sent event that has one. */
  readonly event?: string;
  /** `raw` is only its beginning: it was too large. */
  readonly cut?: true;
  /** The stream ended before the event did. */
  readonly unterminated?: true;
}

/** How it ended. The last line; a file without it is of a capture that was killed. */
export interface CaptureEnd {
  readonly t: number;
  readonly end: CaptureEnding;
  /** In words, where there is something to say. */
  readonly error?: string;
}

/**
 * - `closed`: the server ended it.
 * - `left-open`: the task was over, the server did not end the stream, we did.
 * - `broken`: the connection failed or broke.
 * - `refused`: the server answered with an error.
 * - `interrupted`: whoever captures left.
 */
export type CaptureEnding = (typeof ENDINGS)[number];

/** A line of a capture. */
export type CaptureRecord = CaptureHeader | CapturedEvent | CaptureEnd;

export const ENDINGS = ["closed", "left-open", "broken", "refused", "interrupted"] as const;

/** The first line of a capture, told from others by its version. */
export function isHeader(record: CaptureRecord): record is CaptureHeader {
  return "v" in record;
}

/** The last line of a capture that was not cut off. */
export function isEnd(record: CaptureRecord): record is CaptureEnd {
  return "end" in record;
}
