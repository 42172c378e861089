import type { Clock } from "@troupe/stream";

import { ByAge } from "../../store/by-age.ts";
import type { EventLog } from "./event-log.ts";

/** Who comes back after a broken connection does so within moments. */
const MAX_AGE_MS = 60_000;
const MAX_LOGS = 500;
const MAX_BYTES = 8 * 1024 * 1024;

interface Kept {
  readonly owner: string;
  readonly events: EventLog;
  readonly at: number;
}

interface Settled {
  readonly id: string;
  readonly owner: string;
  readonly events: EventLog;
}

/**
 * The updates of turns that are over, for readers that lost their connection just before the end.
 * Bounded by age, count and bytes, oldest first; without them a reader gets a snapshot.
 */
export class SettledLogs {
  readonly #clock: Clock;
  readonly #kept = new ByAge<Kept>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  keep({ id, owner, events }: Settled): void {
    this.drop(id);
    this.#kept.put(id, { owner, events, at: this.#clock.now() });
    this.#bytes += events.bytes;
    this.#forget();
  }

  logOf(owner: string, taskId: string): EventLog | undefined {
    this.#forget();
    const kept = this.#kept.get(taskId);
    return kept?.owner === owner ? kept.events : undefined;
  }

  drop(taskId: string): void {
    this.#bytes -= this.#kept.get(taskId)?.events.bytes ?? 0;
    this.#kept.delete(taskId);
  }

  #forget(): void {
    const now = this.#clock.now();
    const kept = this.#kept;
    for (let oldest = kept.oldest(); oldest !== undefined; oldest = kept.oldest()) {
      const [taskId, { at }] = oldest;
      if (kept.size <= MAX_LOGS && this.#bytes <= MAX_BYTES && now - at <= MAX_AGE_MS) break;
      this.drop(taskId);
    }
  }
}
