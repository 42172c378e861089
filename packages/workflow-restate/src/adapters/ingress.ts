import { createHash } from "node:crypto";

import { connect, HttpCallError, rpc } from "@restatedev/restate-sdk-clients";
import { InputError, isTroupeError, StoreError } from "@troupe/core";
import { insist } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";
import { WorkflowError, type RunOutcome, type SignalAnswer } from "@troupe/workflow";

import type { SignalRequest } from "../run-handlers.ts";
import type { RunRequest } from "../run-request.ts";
import type { RunService } from "../run-service.ts";
import type { Request } from "./any-server.ts";

/** Where runs are started, answered and waited for. */
export interface Ingress {
  /** False when the run was there before. */
  submit(runId: string, run: RunRequest): Promise<boolean>;
  signal(runId: string, signal: SignalRequest, idempotencyKey: string): Promise<SignalAnswer>;
  /** Undefined: no such run. Null: not ended. `killed`: an operator of Restate ended it. */
  outcome(runId: string): Promise<RunOutcome | "killed" | null | undefined>;
  /** What the run was started with; null for a moment after the start, and where there is no run. */
  request(runId: string): Promise<RunRequest | null>;
  /** What a run that has ended was handed, in that order, by name; null while it has not. */
  order(runId: string): Promise<readonly string[] | null>;
  /** The same once it has ended: waits for that, through absences of Restate. */
  attach(runId: string, signal: AbortSignal): Promise<RunOutcome | "killed" | undefined>;
}

export interface IngressOptions {
  readonly name: string;
  readonly request: Request;
  readonly clock: Clock;
  /** How long an absence of Restate is borne with. */
  readonly patienceMs: number;
}

/** How long one answer is waited for; the longest part of it is a change of leaders in the cluster. */
const ANSWER_MS = 30_000;

export function openIngress({ name, request, clock, patienceMs }: IngressOptions): Ingress {
  // The address is put before the path by whoever sends it.
  const client = connect({ url: "", fetch: (path, init) => request(path as string, init ?? {}) });
  const run = (runId: string) => client.workflowClient<RunService>({ name }, runId);
  const ask = async <T>(question: (signal: AbortSignal) => PromiseLike<T>): Promise<T> => {
    const signal = AbortSignal.timeout(patienceMs + ANSWER_MS);
    try {
      return await insist(async () => question(signal), { patienceMs, clock, signal, isAbsence });
    } catch (error) {
      throw toOwnError(error, name);
    }
  };
  return {
    async submit(runId, given) {
      const { status } = await ask((signal) => run(runId).workflowSubmit(given, rpc.sendOpts({ signal })));
      return status === "Accepted";
    },
    signal: (runId, given, key) =>
      ask((signal) => {
        // A key is any text; a header is not.
        const idempotencyKey = createHash("sha256").update(key).digest("hex");
        return run(runId).signal(given, rpc.opts({ signal, idempotencyKey }));
      }),
    outcome: (runId) =>
      ask(async (signal) => {
        try {
          const output = await run(runId).workflowOutput(rpc.opts({ signal }));
          return output.ready ? output.result : null;
        } catch (error) {
          if (isNone(error)) return undefined;
          if (isEnd(error)) return "killed";
          throw error;
        }
      }),
    request: (runId) => ask((signal) => run(runId).request(rpc.opts({ signal }))),
    order: (runId) => ask((signal) => run(runId).order(rpc.opts({ signal }))),
    async attach(runId, signal) {
      try {
        const attach = () => run(runId).workflowAttach(rpc.opts({ signal }));
        return await insist(attach, { patienceMs, clock, signal, isAbsence });
      } catch (error) {
        if (isNone(error)) return undefined;
        if (isEnd(error)) return "killed";
        if (signal.aborted) throw error;
        throw toOwnError(error, name);
      }
    },
  };
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof HttpCallError ? error.status : undefined;

/** Restate's own words, and not those of a proxy before it: there is no such run, or not any more. */
const isNone = (error: unknown): boolean =>
  error instanceof HttpCallError &&
  (error.status === 404 || error.status === 410) &&
  /"source":\s*"(ingress|invocation)"/.test(error.responseText);

/** The run itself ended with an error, which ours never do. */
const isEnd = (error: unknown): boolean =>
  error instanceof HttpCallError && /"source":\s*"invocation"/.test(error.responseText);

/** No server, or none that leads just now; what a run itself ended with is neither. */
function isAbsence(error: unknown): boolean {
  if (isTroupeError(error)) return error.retryable;
  const status = statusOf(error);
  return status !== undefined && !isEnd(error) && (status === 429 || status >= 500);
}

function toOwnError(error: unknown, name: string): unknown {
  const status = statusOf(error);
  if (status === 404)
    return new WorkflowError(
      "workflow.internal",
      `Restate knows no service "${name}"; an orchestrator that runs on it registers it`,
      { cause: error },
    );
  if (status === 413)
    return new InputError(
      "input.too-large",
      "this is larger than Restate takes; hand on what is large as a file",
      {
        cause: error,
      },
    );
  if (status !== undefined)
    return new WorkflowError("workflow.internal", `Restate refused a request (status ${status})`, {
      cause: error,
    });
  if (error instanceof DOMException && error.name === "TimeoutError")
    return new StoreError("store.io", "Restate did not answer in time; it may still do what was asked", {
      cause: error,
      retryable: true,
    });
  return error;
}
