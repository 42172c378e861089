import { EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";

type Waiter = (result: IteratorResult<AgentEvent, undefined>) => void;

const DONE: IteratorResult<AgentEvent, undefined> = { value: undefined, done: true };

/**
 * Numbers what a run emits and hands it to its one reader. Written by hand and not as an async
 * generator, because a token passes through here and each layer of generators costs it three turns
 * of the microtask queue. A reader that is slower than the run finds the events queued.
 */
export class EventChannel implements AsyncIterableIterator<AgentEvent, undefined> {
  attempt = 1;
  readonly #runId: string;
  readonly #agent: string;
  readonly #start: () => void;
  readonly #stop: () => void;
  #seq = 0;
  /** In which attempt a text item began, where that is not the first. */
  readonly #itemAttempts = new Map<string, number>();
  #queue: AgentEvent[] = [];
  #head = 0;
  #waiter: Waiter | undefined;
  #started = false;
  #closed = false;

  /** `start` runs at the first read, `stop` when the reader goes away before the end. */
  constructor(options: {
    readonly runId: string;
    readonly agent: string;
    readonly start: () => void;
    readonly stop: () => void;
  }) {
    this.#runId = options.runId;
    this.#agent = options.agent;
    this.#start = options.start;
    this.#stop = options.stop;
  }

  emit(body: AgentEventBody): void {
    if (this.#closed) return;
    const event: AgentEvent = {
      v: EVENT_VERSION,
      runId: this.#runId,
      seq: this.#seq++,
      attempt: this.attempt === 1 ? 1 : this.#attemptOf(body),
      agent: this.#agent,
      ...body,
    };
    const waiter = this.#waiter;
    if (waiter === undefined) {
      this.#queue.push(event);
      return;
    }
    this.#waiter = undefined;
    waiter({ value: event, done: false });
  }

  /** A text item keeps the attempt that it began in. */
  #attemptOf(body: AgentEventBody): number {
    if (!("itemId" in body)) return this.attempt;
    if (body.type === "text-start") this.#itemAttempts.set(body.itemId, this.attempt);
    return this.#itemAttempts.get(body.itemId) ?? 1;
  }

  /** Nothing is emitted after this. */
  close(): void {
    this.#closed = true;
    this.#waiter?.(DONE);
    this.#waiter = undefined;
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    if (!this.#started) {
      this.#started = true;
      this.#start();
    }
    const event = this.#queue[this.#head];
    if (event !== undefined) {
      this.#head++;
      if (this.#head === this.#queue.length) {
        this.#queue = [];
        this.#head = 0;
      }
      return Promise.resolve({ value: event, done: false });
    }
    if (this.#closed) return Promise.resolve(DONE);
    return new Promise((resolve) => {
      this.#waiter = resolve;
    });
  }

  return(): Promise<IteratorResult<AgentEvent, undefined>> {
    this.#queue = [];
    this.#head = 0;
    this.close();
    this.#stop();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
