import { sizeOf } from "../../store/size-of.ts";
import type { WireEvent } from "../../wire/parts.ts";

/** An update as a reader gets it. */
export interface ToldEvent {
  /** What a reader that comes back names as the last it had; see `EventLog`. */
  readonly id: string;
  readonly event: WireEvent;
}

export interface LogCapacity {
  readonly events: number;
  readonly bytes: number;
}

export interface EventLogOptions {
  /**
   * Random, and new for every turn in every process, so that no id of another is taken for one of this.
   * Asked once, when somebody follows: most turns are never followed.
   */
  readonly newEpoch: () => string;
  /** What may be kept; asked at every update, because what there is is shared. */
  readonly capacity: () => LogCapacity;
  readonly yieldToLoop: () => Promise<void>;
}

interface Entry {
  readonly event: WireEvent;
  readonly bytes: number;
}

/**
 * The last updates of one turn, numbered from 1, for any number of readers: each holds nothing but
 * its place, so a reader that stalls costs no memory. What is kept is bounded by count and by bytes;
 * a reader that falls behind it is let go, and may come back with the id of the last update it had.
 * An id is `<epoch>.<n>`.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #entries = new Map<number, Entry>();
  readonly #waiting = new Set<() => void>();
  /** Number of the oldest that is kept, and of the last that came. */
  #first = 1;
  #last = 0;
  #bytes = 0;
  #trimming = false;
  #closed = false;
  #held: Error | undefined;
  #epoch: string | undefined;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  get last(): number {
    return this.#last;
  }

  /** As `sizeOf` counts. */
  get bytes(): number {
    return this.#bytes;
  }

  /** More came since the loop had its last turn than is to be kept: whoever adds should let it have one. */
  get crowded(): boolean {
    return this.#trimming;
  }

  idOf(n: number): string {
    return `${this.#epochOf()}.${n}`;
  }

  /** The number in an id of this log, where all that came after it is still kept. */
  positionOf(id: string): number | undefined {
    const dot = id.lastIndexOf(".");
    const digits = id.slice(dot + 1);
    if (id.slice(0, dot) !== this.#epochOf() || !/^(0|[1-9]\d{0,14})$/.test(digits)) return undefined;
    const n = Number(digits);
    return n >= this.#first - 1 && n <= this.#last ? n : undefined;
  }

  push(event: WireEvent): void {
    const bytes = sizeOf(event);
    this.#entries.set(++this.#last, { event, bytes });
    this.#bytes += bytes;
    if (!this.#trimming && this.#full()) void this.#trimSoon();
    this.#wake();
  }

  /** Counts an update that nobody can ask for: whoever comes after it finds it in the snapshot. */
  skip(): void {
    this.#first = ++this.#last + 1;
  }

  /** Why nothing more comes just now: readers are told so after what there is, until it is taken back. */
  hold(why: Error | undefined): void {
    this.#held = why;
    if (why !== undefined) this.#wake();
  }

  /** Nothing more comes: readers end after what there is. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** What came after `n`, then what comes, until the log is closed, `signal` aborts, or the reader is too slow. */
  async *read(n: number, signal?: AbortSignal): AsyncGenerator<ToldEvent, void, undefined> {
    let go: () => void = () => undefined;
    const leave = (): void => go();
    signal?.addEventListener("abort", leave, { once: true });
    try {
      for (let next = n + 1; ;) {
        if (signal?.aborted === true) return;
        const entry = this.#entries.get(next);
        if (entry !== undefined) {
          yield { id: this.idOf(next++), event: entry.event };
          continue;
        }
        if (this.#closed || next <= this.#last) return;
        if (this.#held !== undefined) throw this.#held;
        await new Promise<void>((resolve) => {
          go = resolve;
          this.#waiting.add(resolve);
        });
        this.#waiting.delete(go);
      }
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /**
   * Readers that keep up get what a burst brings before it is dropped: they take it as soon as the
   * loop has a turn.
   */
  async #trimSoon(): Promise<void> {
    this.#trimming = true;
    await this.#options.yieldToLoop();
    this.#trimming = false;
    while (this.#full()) {
      this.#bytes -= this.#entries.get(this.#first)?.bytes ?? 0;
      this.#entries.delete(this.#first++);
    }
  }

  #full(): boolean {
    const { events, bytes } = this.#options.capacity();
    return this.#entries.size > 0 && (this.#entries.size > events || this.#bytes > bytes);
  }

  #epochOf(): string {
    return (this.#epoch ??= this.#options.newEpoch());
  }

  #wake(): void {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
