import { InputError, type Log } from "@troupe/core";
import type { Clock, Json } from "@troupe/stream";
import {
  brokenRun,
  CANCEL_SIGNAL,
  END_KEY,
  endEvent,
  eventsSoFar,
  insistOnLog,
  outcomeOnRecord,
  runInputSchema,
  runRecord,
  WorkflowError,
  type DagDriver,
  type DagSpec,
  type HostedEngine,
  type JournalEntry,
  type RecordedRun,
  type ResumeAnswer,
  type RunInput,
  type RunLog,
  type RunOutcome,
  type RunView,
  type SignalAnswer,
} from "@troupe/workflow";

import type { Admin, HaltedRun } from "./adapters/admin.ts";
import type { Ingress } from "./adapters/ingress.ts";
import type { ServedService } from "./adapters/serve.ts";
import { CANCELED } from "./restate-context.ts";
import { bytesOf, inMegabytes, MAX_SIGNAL_BYTES } from "./limits.ts";
import { checkSize } from "./run-request.ts";

/** How long a run that has told its end may take until it has ended. */
const ENDING_MS = 5_000;

export interface RestateEngineParts {
  readonly ingress: Ingress;
  readonly admin: Admin;
  readonly events: RunLog;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  /** Serves the driver and says where Restate reaches it. */
  readonly serve: (
    driver: DagDriver,
    onCutOff: (runId: string) => void,
  ) => Promise<{ readonly url: string; readonly served: ServedService }>;
}

/**
 * How often a run that was cut off is looked at, and the milliseconds before, doubled each time: Restate pauses it
 * soon after, and one that is not paused after two minutes is at work.
 */
const LOOKS = 7;
const FIRST_LOOK_MS = 1_000;
const MOST_LOOK_MS = 60_000;

/** Runs drivers where Restate calls them: here, and in every other process served under the same address. */
export class RestateEngine implements HostedEngine {
  readonly events: RunLog;
  readonly #o: RestateEngineParts;
  readonly #closing = new AbortController();
  #served: Promise<ServedService> | undefined;
  /** Runs that were cut off while their log was away, and how often each was looked at since. */
  readonly #cutOff = new Map<string, number>();

  constructor(parts: RestateEngineParts) {
    this.#o = parts;
    this.events = parts.events;
  }

  async register(driver: DagDriver): Promise<void> {
    this.#open();
    if (this.#served) throw new WorkflowError("workflow.internal", "a driver is registered already");
    const { admin, log } = this.#o;
    const serving = this.#o.serve(driver, (runId) => void this.#resumeWithLog(runId));
    this.#served = serving.then(({ served }) => served);
    try {
      await admin.register((await serving).url);
    } catch (error) {
      // Nobody calls it: it can be tried again.
      const served = await this.#served.catch(() => undefined);
      this.#served = undefined;
      await served?.close();
      throw error;
    }
    try {
      for (const { runId, invocationId, state, reason } of await admin.halted()) {
        log.info("a run goes on where it was cut off", { runId, state, reason });
        await admin.resume(invocationId);
      }
    } catch (error) {
      // Most go on by themselves, in their time; what is paused can be resumed one by one.
      log.warn("Restate was not told to go on at once with what was cut off", { error });
    }
  }

  async start(
    spec: DagSpec,
    input: Json,
    o: { readonly runId: string },
  ): Promise<{ readonly created: boolean }> {
    this.#open();
    const { runId } = o;
    checkSize({ spec, input });
    const created = await this.#o.ingress.submit(runId, { spec, input });
    // The run begins its record too; here so that it can be seen from now on.
    if (created) await this.events.begin(runRecord({ runId, spec, input }));
    return { created };
  }

  async signal(
    runId: string,
    name: string,
    value: Json,
    o: { readonly idempotencyKey: string },
  ): Promise<SignalAnswer> {
    this.#open();
    const bytes = bytesOf(JSON.stringify(value));
    if (bytes > MAX_SIGNAL_BYTES)
      throw new InputError(
        "input.too-large",
        `the answer is ${inMegabytes(bytes)}, of at most ${inMegabytes(MAX_SIGNAL_BYTES)}; hand on what is large as a file`,
      );
    // A promise would be kept for a run that nobody started, too, and one that was killed does not know its end.
    const outcome = await this.#o.ingress.outcome(runId);
    if (outcome === undefined || outcome === "killed") return "no-run";
    return this.#o.ingress.signal(runId, { name, value }, o.idempotencyKey);
  }

  cancel(runId: string, reason: string): Promise<SignalAnswer> {
    return this.signal(runId, CANCEL_SIGNAL, { reason }, { idempotencyKey: this.#o.newId() });
  }

  get(runId: string): Promise<RunView | null> {
    return this.events.view(runId);
  }

  async input(runId: string): Promise<RunInput | undefined> {
    return runInputSchema.safeParse((await this.#request(runId))?.input).data;
  }

  async recorded(runId: string): Promise<RecordedRun | undefined> {
    this.#open();
    const outcome = await this.#outcome(runId);
    const request = outcome === undefined ? null : await this.#o.ingress.request(runId);
    if (outcome === undefined || request === null) return undefined;
    const [signals, journal] = await Promise.all([this.#o.admin.signals(runId), this.#journal(runId)]);
    return {
      ...request,
      outcome: outcome === "killed" ? brokenRun(runId).outcome : outcome,
      signals,
      ...(journal === undefined ? {} : { journal }),
    };
  }

  async resume(runId: string): Promise<ResumeAnswer> {
    this.#open();
    if ((await this.#o.ingress.outcome(runId)) !== null) return "no-run";
    const [halted] = await this.#o.admin.halted([runId]);
    if (!halted) return "at-work";
    await this.#o.admin.resume(halted.invocationId);
    return "resumed";
  }

  async stuck(runIds: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    this.#open();
    if (runIds.length === 0) return new Map();
    const halted = await this.#o.admin.halted(runIds);
    return new Map(
      halted.filter(({ state }) => state !== "backing-off").map((run) => [run.runId, interruption(run)]),
    );
  }

  async result(runId: string, o: { readonly signal?: AbortSignal } = {}): Promise<RunOutcome> {
    this.#open();
    o.signal?.throwIfAborted();
    const signal = AbortSignal.any([this.#closing.signal, ...(o.signal ? [o.signal] : [])]);
    const outcome = await this.#o.ingress.attach(runId, signal);
    if (outcome === undefined) return this.#onRecord(runId);
    const ended = outcome === "killed" ? brokenRun(runId).outcome : outcome;
    void this.#tellEnd(ended);
    return ended;
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const closed = "the engine was closed; the run goes on when it is opened again";
    this.#closing.abort(new WorkflowError("workflow.closed", closed));
    const served = await this.#served?.catch(() => undefined);
    await served?.close();
  }

  /**
   * What waits for its log alone Restate takes for hung, again and again, and pauses it in the end. That is no
   * failure of the run: it goes on once the log is back. If that can only be read, the run waits for it once more
   * and is cut off again.
   */
  async #resumeWithLog(runId: string): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    const isLookedAt = this.#cutOff.has(runId);
    this.#cutOff.set(runId, 0);
    if (isLookedAt) return;
    const { clock, log } = this.#o;
    const looks = (): number => this.#cutOff.get(runId) ?? 0;
    try {
      for (let pauseMs = FIRST_LOOK_MS; looks() < LOOKS; pauseMs = Math.min(2 * pauseMs, MOST_LOOK_MS)) {
        await insistOnLog(() => this.events.view(runId), { clock, signal });
        await clock.sleep(pauseMs, signal);
        // Before it is looked at: it may be cut off again meanwhile.
        this.#cutOff.set(runId, looks() + 1);
        try {
          if ((await this.resume(runId)) !== "at-work") return;
        } catch (error) {
          signal.throwIfAborted();
          // Restate may be away for longer than the log.
          this.#cutOff.set(runId, 0);
          log.warn("a run that its log held up is not resumed yet", { runId, error });
        }
      }
    } catch (error) {
      if (!signal.aborted) log.warn("a run that its log held up was not resumed", { runId, error });
    } finally {
      this.#cutOff.delete(runId);
    }
  }

  /**
   * Whoever follows a run that has ended waits for its end, which its log may have lost, and which one that was
   * killed never told.
   */
  async #tellEnd(outcome: RunOutcome): Promise<void> {
    const { runId } = outcome;
    const how = { clock: this.#o.clock, signal: this.#closing.signal };
    try {
      const view = await insistOnLog(() => this.events.view(runId), how);
      // One whose events are forgotten by now is not to come back.
      if (view !== null && view.outcome === undefined) this.events.append(runId, END_KEY, endEvent(outcome));
    } catch (error) {
      if (!this.#closing.signal.aborted)
        this.#o.log.warn("it could not be seen whether a run's log has its end", { runId, error });
    }
  }

  /** How a run ended that Restate does not know any more: by what it told. */
  async #onRecord(runId: string): Promise<RunOutcome> {
    const view = await this.events.view(runId);
    const told = view === null ? undefined : outcomeOnRecord(view, await eventsSoFar(this.events, runId));
    if (told !== undefined) return told;
    throw new InputError(
      "input.not-found",
      `there is no run "${runId}"; list the runs to see which there are`,
    );
  }

  /**
   * A run tells its end before Restate has its outcome, or the end could be lost: whoever has seen the one is not
   * to miss the other. Null where that takes longer, because the attempt that told it is gone.
   */
  async #outcome(runId: string): Promise<RunOutcome | "killed" | null | undefined> {
    const outcome = await this.#o.ingress.outcome(runId);
    if (outcome !== null || (await this.events.view(runId))?.outcome === undefined) return outcome;
    const late = new AbortController();
    const cancel = this.#o.clock.schedule(ENDING_MS, () => late.abort());
    try {
      return await this.#o.ingress.attach(runId, AbortSignal.any([this.#closing.signal, late.signal]));
    } catch (error) {
      if (late.signal.aborted) return null;
      throw error;
    } finally {
      cancel();
    }
  }

  /** Undefined while the run goes on, and where Restate no longer keeps all of it. */
  async #journal(runId: string): Promise<readonly JournalEntry[] | undefined> {
    const order = await this.#o.ingress.order(runId);
    if (order === null) return undefined;
    const values = await this.#o.admin.values(runId);
    const entries = order.flatMap((name) => {
      // The only one that may have come from elsewhere.
      const value = values.get(name) ?? (name === `signal:${CANCEL_SIGNAL}` ? CANCELED : undefined);
      return value === undefined ? [] : [{ name, value }];
    });
    return entries.length === order.length ? entries : undefined;
  }

  async #request(runId: string) {
    this.#open();
    if ((await this.#o.ingress.outcome(runId)) === undefined) return null;
    return this.#o.ingress.request(runId);
  }

  #open(): void {
    if (this.#closing.signal.aborted) throw new WorkflowError("workflow.closed", "the engine was closed");
  }
}

function interruption({ state, reason }: HaltedRun): WorkflowError {
  const cause = new Error(reason);
  return state === "mismatch"
    ? new WorkflowError(
        "workflow.journal-mismatch",
        "what is on record of the run does not fit this version",
        { cause },
      )
    : new WorkflowError(
        "workflow.internal",
        "Restate paused the run, which failed again and again; Restate has the details",
        { cause },
      );
}
