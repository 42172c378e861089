import { isEnd, isHeader, type CaptureEnd, type CaptureRecord } from "../capture/capture-record.ts";
import { stringOf } from "../wire/json.ts";
import { isSettledState, readEvent, type SeenEvent } from "../capture/read-event.ts";
import { ARTIFACT_NAMES } from "../wire/extension.ts";
import type { TraceOutcome } from "./trace.ts";

/** Where a capture stands, told while it is made. Holds nothing of what was said. */
export interface CaptureProgress {
  readonly events: number;
  readonly bytes: number;
  readonly outcome: TraceOutcome;
  /** When the task came to rest, in milliseconds since the request. */
  readonly settledAt: number | null;
  readonly ended: CaptureEnd | null;
  /** What the agent or the connection gave as the reason. */
  readonly error: string;
}

const OUTCOMES = ["completed", "failed", "canceled", "rejected", "input-required", "auth-required"] as const;

/** Follows a capture, record by record. */
export class OutcomeReader {
  #events = 0;
  #bytes = 0;
  #outcome: TraceOutcome = "unfinished";
  #settledAt: number | null = null;
  #ended: CaptureEnd | null = null;
  #error = "";
  #partial = false;

  get progress(): CaptureProgress {
    return {
      events: this.#events,
      bytes: this.#bytes,
      outcome: this.#outcome,
      settledAt: this.#settledAt,
      ended: this.#ended,
      error: this.#error || (this.#ended?.error ?? ""),
    };
  }

  /** @returns what the record says, where it is an event that can be read */
  push(record: CaptureRecord): SeenEvent | undefined {
    if (isHeader(record)) return undefined;
    if (isEnd(record)) {
      this.#ended = record;
      return undefined;
    }
    this.#events++;
    this.#bytes += record.bytes;
    if (record.cut === true) return undefined;
    const seen = readEvent(record.raw);
    this.#take(record.t, seen);
    return seen;
  }

  #take(t: number, seen: SeenEvent): void {
    switch (seen.kind) {
      case "error":
        this.#error = `${seen.message || "error"}${seen.code === "" ? "" : ` (${seen.code})`}`;
        return;
      case "message":
        this.#settle(t, "completed");
        return;
      case "artifact":
        this.#partial ||= seen.artifact.name === ARTIFACT_NAMES.partial;
        return;
      case "task":
        this.#partial ||= seen.artifacts.some(({ name }) => name === ARTIFACT_NAMES.partial);
        break;
      default:
    }
    if (seen.kind === "unreadable" || !isSettledState(seen.state)) return;
    if (seen.state !== "completed" && seen.message !== undefined) this.#error = seen.message.text;
    const half = this.#partial || stringOf(seen.metadata["outcome"]) === "partial";
    const outcome = OUTCOMES.find((known) => known === seen.state) ?? "failed";
    this.#settle(t, outcome === "completed" && half ? "partial" : outcome);
  }

  #settle(t: number, outcome: TraceOutcome): void {
    if (this.#settledAt !== null) return;
    this.#settledAt = t;
    this.#outcome = outcome;
  }
}
