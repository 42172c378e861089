import { systemClock } from "@troupe/core";
import type { Clock, Json } from "@troupe/stream";
import type { RunOutcome, Settlement, SignalAnswer } from "@troupe/workflow";

import type { Admin } from "../adapters/admin.ts";
import type { Ingress } from "../adapters/ingress.ts";
import type { ServedService } from "../adapters/serve.ts";
import type { RunHandlers } from "../run-handlers.ts";
import type { RunRequest } from "../run-request.ts";
import { memoryAttempt, type MemoryAttempt, type MemoryWorkflow } from "./memory-attempt.ts";

interface Kept extends MemoryWorkflow {
  readonly request: RunRequest;
  readonly answers: Map<string, SignalAnswer>;
  readonly ended: PromiseWithResolvers<RunOutcome | "killed">;
  outcome: RunOutcome | "killed" | null;
  /** Why its last attempt failed. */
  failure: unknown;
  attempt: MemoryAttempt | undefined;
}

/** As much of a Restate server as the engine asks of one, in memory: it pauses a run at its first failure. */
export interface MemoryRestate {
  readonly ingress: Ingress;
  readonly admin: Admin;
  /** Calls these handlers from now on, and ends all attempts when they are not served any more. */
  serve(handlers: RunHandlers): ServedService;
  /** What Restate does with a run that hangs too often: ends its attempt, and makes no other. */
  pause(runId: string): void;
  /** What an operator does. */
  kill(runId: string): void;
  /** As once it is not kept any longer. */
  forget(runId: string): void;
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function memoryRestate(clock: Clock = systemClock): MemoryRestate {
  const runs = new Map<string, Kept>();
  let handlers: RunHandlers | undefined;

  const drive = async (run: Kept): Promise<void> => {
    if (!handlers || run.outcome !== null || run.failure !== undefined) return;
    const attempt = memoryAttempt(run, clock);
    run.attempt = attempt;
    try {
      const outcome = copy(await handlers.run(attempt.context, copy(run.request)));
      if (run.attempt !== attempt) return;
      run.outcome = outcome;
      run.ended.resolve(outcome);
    } catch (error) {
      if (run.attempt === attempt) run.failure = error;
    }
  };
  const shared = (run: Kept) => memoryAttempt({ ...run, arrived: [], commands: [] }, clock).context;

  return {
    ingress: {
      async submit(runId, request) {
        if (runs.has(runId)) return false;
        const run: Kept = {
          key: runId,
          request: copy(request),
          commands: [],
          arrived: [],
          dues: new Map(),
          state: new Map(),
          promises: new Map(),
          onPromise: undefined,
          answers: new Map(),
          ended: Promise.withResolvers(),
          outcome: null,
          failure: undefined,
          attempt: undefined,
        };
        runs.set(runId, run);
        void drive(run);
        return true;
      },
      async signal(runId, signal, key) {
        const run = runs.get(runId);
        if (!run || !handlers) return "no-run";
        const told = run.onPromise;
        const answer = run.answers.get(key) ?? (await handlers.signal(shared(run), copy(signal)));
        run.answers.set(key, answer);
        if (answer === "accepted") told?.(signal.name);
        return answer;
      },
      outcome: async (runId) => runs.get(runId)?.outcome,
      request: async (runId) => {
        const run = runs.get(runId);
        return run && handlers ? handlers.request(shared(run)) : null;
      },
      order: async (runId) => {
        const run = runs.get(runId);
        return run && handlers ? handlers.order(shared(run)) : null;
      },
      async attach(runId, signal) {
        const run = runs.get(runId);
        if (!run) return undefined;
        const left = new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        });
        return Promise.race([run.ended.promise, left]);
      },
    },
    admin: {
      register: async () => undefined,
      halted: async (runIds) =>
        [...runs.values()]
          .filter((run) => run.failure !== undefined && (runIds?.includes(run.key) ?? true))
          .map((run) => ({
            runId: run.key,
            invocationId: run.key,
            state: "paused",
            reason: String(run.failure),
          })),
      async resume(runId) {
        const run = runs.get(runId);
        if (!run) return;
        run.failure = undefined;
        void drive(run);
      },
      async values(runId) {
        const { commands = [], arrived = [] } = runs.get(runId) ?? {};
        return new Map(
          arrived.map(({ place, value }): [string, Settlement] => [
            commands[place]?.replace(/^promise /, "signal:") ?? "",
            value instanceof Uint8Array
              ? (JSON.parse(Buffer.from(value).toString()) as Settlement)
              : { ok: true, value: null },
          ]),
        );
      },
      signals: async (runId) =>
        new Map(
          [...(runs.get(runId)?.promises ?? [])].flatMap(([name, bytes]): [string, Json][] => {
            const settled = JSON.parse(Buffer.from(bytes).toString()) as Settlement;
            return settled.ok ? [[name, settled.value]] : [];
          }),
        ),
    },
    serve(given) {
      handlers = given;
      for (const run of runs.values()) void drive(run);
      return {
        port: 0,
        async close() {
          handlers = undefined;
          for (const run of runs.values()) {
            run.attempt?.end();
            run.attempt = undefined;
          }
        },
      };
    },
    forget(runId) {
      runs.delete(runId);
    },
    pause(runId) {
      const run = runs.get(runId);
      if (!run) return;
      run.failure = new Error("the attempt was aborted");
      run.attempt?.end();
      run.attempt = undefined;
    },
    kill(runId) {
      const run = runs.get(runId);
      if (!run) return;
      run.attempt?.end();
      run.attempt = undefined;
      run.outcome = "killed";
      run.ended.resolve("killed");
    },
  };
}
