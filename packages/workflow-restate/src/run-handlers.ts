import {
  serde,
  TerminalError,
  type WorkflowContext,
  type WorkflowSharedContext,
} from "@restatedev/restate-sdk";
import { isTroupeError, type Log } from "@troupe/core";
import type { Clock, Json } from "@troupe/stream";
import {
  brokenRun,
  END_KEY,
  endNotKept,
  hasEnd,
  insistOnLog,
  runRecord,
  type DagDriver,
  type RunLog,
  type RunOutcome,
  type Settlement,
  type SignalAnswer,
} from "@troupe/workflow";

import { RestateContext } from "./restate-context.ts";
import { keptBytes, type RunRequest } from "./run-request.ts";

export interface SignalRequest {
  readonly name: string;
  readonly value: Json;
}

export interface RunHandlersOptions {
  readonly driver: DagDriver;
  readonly events: RunLog;
  readonly clock: Clock;
  readonly log: Log;
  /** How often a run tells Restate that its steps are at work. */
  readonly beatMs: number;
  /** Told of a run that waited for its log when Restate took it away from this process. */
  readonly onCutOff: (runId: string) => void;
}

/**
 * What Restate calls. What these ask of it, in which order and under which names, is a published format: runs
 * that were begun by an earlier version are answered, and go on, by a later one.
 */
export interface RunHandlers {
  /** The run itself, called once for each of its attempts. */
  run(restate: WorkflowContext, request: RunRequest): Promise<RunOutcome>;
  /** `no-run` once it has ended; that there is one is for the caller to know. */
  signal(restate: WorkflowSharedContext, signal: SignalRequest): Promise<SignalAnswer>;
  /** What the run was started with; null before its first attempt. */
  request(restate: WorkflowSharedContext): Promise<RunRequest | null>;
  /** The names of what the driver was handed, in that order; null while the run has not ended. */
  order(restate: WorkflowSharedContext): Promise<readonly string[] | null>;
}

export function runHandlers(options: RunHandlersOptions): RunHandlers {
  const { driver, events, clock, log, beatMs, onCutOff } = options;

  const drive = async (context: RestateContext, { spec, input }: RunRequest): Promise<RunOutcome> => {
    const { runId } = context;
    try {
      return await driver(context, spec, input);
    } catch (error) {
      // Storage may be back at the next attempt. What Restate throws, it has to get.
      if (isTroupeError(error) ? error.code.startsWith("store.") : error instanceof TerminalError)
        throw error;
      log.error("the driver broke", { runId, error });
      const { outcome, event } = brokenRun(runId);
      events.append(runId, END_KEY, event);
      context.toldEnd = true;
      return outcome;
    } finally {
      context.close();
    }
  };

  return {
    async run(restate, request) {
      const runId = restate.key;
      // As long as its storage is away no attempt can do better than this one.
      const signal = restate.request().attemptCompletedSignal;
      const waitForLog = async <T>(wait: () => Promise<T>, isWaiting = () => true): Promise<T> => {
        const onAbort = (): void => (isWaiting() ? onCutOff(runId) : undefined);
        signal.addEventListener("abort", onAbort, { once: true });
        try {
          return await wait();
        } finally {
          signal.removeEventListener("abort", onAbort);
        }
      };
      const insist = <T>(ask: () => Promise<T>): Promise<T> =>
        waitForLog(() => insistOnLog(ask, { clock, signal }));
      await insist(() => events.begin(runRecord({ runId, ...request })));
      restate.set("request", request);
      const context = new RestateContext({
        restate,
        events,
        log,
        takenUpAt: clock.now(),
        beatMs,
        keptBytes: keptBytes(request),
      });
      const outcome = await waitForLog(
        () => drive(context, request),
        () => context.toldEnd,
      );
      // Nobody tells its events again once it has ended: they have to be on record before. An end that its log has
      // lost all the same is told by the next attempt.
      await waitForLog(async () => events.kept?.());
      if (context.toldEnd && !(await insist(() => hasEnd(events, runId)))) throw endNotKept(runId);
      restate.set("ended", context.order);
      return outcome;
    },
    async signal(restate, { name, value }) {
      if ((await restate.get<readonly string[]>("ended")) !== null) return "no-run";
      const promise = restate.promise(name, serde.binary);
      if ((await promise.peek()) !== undefined) return "duplicate";
      try {
        await promise.resolve(Buffer.from(JSON.stringify({ ok: true, value } satisfies Settlement)));
        return "accepted";
      } catch (error) {
        // Somebody else was first.
        if (error instanceof TerminalError) return "duplicate";
        throw error;
      }
    },
    request: (restate) => restate.get<RunRequest>("request"),
    order: (restate) => restate.get<readonly string[]>("ended"),
  };
}
