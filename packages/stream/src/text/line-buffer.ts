import type { Clock } from "../clock.ts";
import {
  afterLastSpace,
  fenceAfter,
  endsInHalf,
  mayCut,
  openAt,
  splitAt,
  unfinished,
  type Fence,
} from "./markdown-cut.ts";
import { UnsentTextError } from "./unsent-text-error.ts";

export interface LineBufferOptions {
  /**
   * Delivers a piece; called again only once it has settled. It has to end by itself: a call that
   * hangs holds up everything behind it. `retryAfterMs` of what it throws is honoured.
   */
  readonly send: (text: string) => Promise<void>;
  readonly clock: Clock;
  /** How long text without a line end waits, in milliseconds from the first that came. 1000. */
  readonly intervalMs?: number;
  /** How long open Markdown is held back from when it is the first that waits. Three intervals. */
  readonly maxHoldMs?: number;
  /** UTF-16 units in one piece, at least 2. 12000. */
  readonly maxChars?: number;
  /** Failures in a row after which `flush` and `close` give up. 5. */
  readonly attempts?: number;
  /** Wait after the first failure, doubled with each, at most 30 s. 1000. */
  readonly retryMs?: number;
}

const MAX_RETRY_MS = 30_000;
/** No one waits longer than this at the wish of a server. */
const MAX_RETRY_AFTER_MS = 600_000;
/** A line of which so much was sent is read by nobody for its marks: more would be looked at again and again. */
const MAX_LINE = 4000;

/** Somebody who waits until so many units are sent. */
interface Waiter {
  left: number;
  failures: number;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Gathers text for a client that takes few calls: whole lines at once, the rest after an interval,
 * also when nothing more comes. It cuts neither a character nor a line end nor what may become the
 * marker of a code fence; and where it can, no code, `**` or link either. Pieces go out one at a time
 * and in order, and one that failed goes again with what came meanwhile: what was sent and `pending`
 * are, together, what was appended.
 */
export class LineBuffer {
  readonly #options: Required<LineBufferOptions>;
  /** Not sent yet, what is on its way included. */
  #held = "";
  /** Since when the first of it has waited, and the first behind the piece that is on its way. */
  #since = 0;
  #sinceBehind = 0;
  /** Length of that piece, 0 when none is. */
  #onItsWay = 0;
  /** What was sent of the line that `#held` goes on with, and the fence it stands in. */
  #line = "";
  #fence: Fence | undefined;
  /** A piece is on its way, or waits to go again. */
  #busy: "sending" | "waiting" | undefined;
  #failures = 0;
  #stopTimer: () => void = () => undefined;
  #waiters: Waiter[] = [];
  #closed: Promise<void> | undefined;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: LineBufferOptions) {
    const { intervalMs = 1000, maxHoldMs = intervalMs * 3, maxChars = 12_000 } = options;
    if (maxChars < 2) throw new RangeError(`maxChars is ${maxChars}; a character may need 2.`);
    this.#options = { attempts: 5, retryMs: 1000, ...options, intervalMs, maxHoldMs, maxChars };
  }

  /** What was appended and not sent, also what is on its way. */
  get pending(): string {
    return this.#held;
  }

  /** Throws an Error once the buffer is closed. */
  append(text: string): void {
    if (this.#closed !== undefined)
      throw new Error(`The buffer is closed; ${text.length} characters came too late.`);
    if (text === "") return;
    if (this.#held === "") this.#since = this.#options.clock.now();
    else if (this.#held.length === this.#onItsWay) this.#sinceBehind = this.#options.clock.now();
    this.#held += text;
    this.#pump();
  }

  /**
   * Sends all there is, but half a character. Rejects with an `UnsentTextError` after too many failures;
   * the text is kept and tried again in the background.
   */
  flush(): Promise<void> {
    return this.#sent(this.#held.length - (endsInHalf(this.#held) ? 1 : 0));
  }

  /** Sends everything and takes no more. Rejects as `flush` does, and then tries no more. */
  close(): Promise<void> {
    this.#closed ??= this.#sent(this.#held.length);
    return this.#closed;
  }

  /** Drops what is not sent, to be told otherwise; resolves when nothing is on its way any more. */
  async discard(): Promise<void> {
    const waiters = this.#waiters.splice(0);
    this.#stopTimer();
    if (this.#busy === "sending") {
      this.#idle ??= Promise.withResolvers();
      await this.#idle.promise;
    }
    this.#busy = undefined;
    this.#failures = 0;
    this.#held = "";
    this.#line = "";
    this.#fence = undefined;
    for (const { done } of waiters) done.resolve();
  }

  #sent(units: number): Promise<void> {
    if (units === 0) return Promise.resolve();
    const waiter: Waiter = { left: units, failures: 0, done: Promise.withResolvers() };
    this.#waiters.push(waiter);
    this.#pump();
    return waiter.done.promise;
  }

  #pump(): void {
    if (this.#busy !== undefined) return;
    this.#stopTimer();
    const cut = this.#cut();
    if (cut === 0) return this.#wait();
    const piece = this.#held.slice(0, splitAt(this.#held.slice(0, cut), this.#options.maxChars));
    this.#busy = "sending";
    this.#onItsWay = piece.length;
    this.#sinceBehind = this.#options.clock.now();
    void this.#send(piece);
  }

  async #send(piece: string): Promise<void> {
    try {
      await this.#options.send(piece);
    } catch (error) {
      this.#onItsWay = 0;
      this.#failed(error);
      return;
    }
    this.#onItsWay = 0;
    this.#busy = undefined;
    this.#failures = 0;
    this.#advance(piece);
    for (const waiter of this.#waiters) {
      waiter.left -= piece.length;
      waiter.failures = 0;
      if (waiter.left <= 0) waiter.done.resolve();
    }
    this.#waiters = this.#waiters.filter(({ left }) => left > 0);
    if (this.#idle === undefined) this.#pump();
    else this.#leave();
  }

  #failed(error: unknown): void {
    const { attempts, retryMs, clock } = this.#options;
    if (this.#idle !== undefined) return this.#leave();
    this.#failures++;
    for (const waiter of this.#waiters) {
      waiter.failures++;
      if (waiter.failures >= attempts)
        waiter.done.reject(new UnsentTextError(waiter.left, waiter.failures, error));
    }
    this.#waiters = this.#waiters.filter(({ failures }) => failures < attempts);
    if (this.#closed !== undefined && this.#waiters.length === 0) return;
    this.#busy = "waiting";
    const backoff = Math.min(retryMs * 2 ** (this.#failures - 1), MAX_RETRY_MS);
    this.#stopTimer = clock.schedule(Math.max(backoff, retryAfter(error)), () => {
      this.#busy = undefined;
      this.#pump();
    });
  }

  #leave(): void {
    this.#busy = undefined;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  #advance(piece: string): void {
    this.#held = this.#held.slice(piece.length);
    this.#since = this.#sinceBehind;
    const lines = piece.split("\n");
    for (const line of lines.slice(0, -1)) {
      this.#fence = fenceAfter(this.#line + line, this.#fence);
      this.#line = "";
    }
    this.#line += lines.at(-1) ?? "";
  }

  /** How much is to be sent now. */
  #cut(): number {
    const { clock, intervalMs, maxChars } = this.#options;
    const held = this.#held;
    let cut = Math.max(0, ...this.#waiters.map(({ left }) => left));
    // What came since may have made it a place that is not to be cut.
    while (cut > 0 && !mayCut(held, cut)) cut++;
    cut = Math.max(cut, held.lastIndexOf("\n") + 1);
    if (cut === 0 && held.length > maxChars) return splitAt(held, maxChars);
    return cut > 0 || clock.now() - this.#since < intervalMs ? cut : this.#softCut();
  }

  /** After an interval: everything, but what is better kept together, while it may be held. */
  #softCut(): number {
    const { clock, maxHoldMs } = this.#options;
    const end = this.#held.length - unfinished(this.#held);
    const open = this.#openAt();
    if (open === undefined || open >= end) return end;
    if (clock.now() - this.#since < maxHoldMs) return mayCut(this.#held, open) ? open : 0;
    return afterLastSpace(this.#held.slice(0, end)) || end;
  }

  /** Where in what is held something is open; undefined also when its beginning was sent already. */
  #openAt(): number | undefined {
    if (this.#line.length > MAX_LINE) return undefined;
    // Whole lines are sent at once, so what is held is the rest of one.
    const at = openAt(this.#line + this.#held, this.#fence) - this.#line.length;
    return at < 0 ? undefined : at;
  }

  #wait(): void {
    const { clock, intervalMs, maxHoldMs } = this.#options;
    if (this.#held === "") return;
    const waited = clock.now() - this.#since;
    // What is unfinished waits longer still, for what finishes it.
    const due = waited < intervalMs ? intervalMs : maxHoldMs;
    if (waited < due) this.#stopTimer = clock.schedule(due - waited, () => this.#pump());
  }
}

function retryAfter(error: unknown): number {
  const asked =
    typeof error === "object" && error !== null && "retryAfterMs" in error ? error.retryAfterMs : 0;
  return typeof asked === "number" && Number.isFinite(asked) && asked > 0
    ? Math.min(asked, MAX_RETRY_AFTER_MS)
    : 0;
}
