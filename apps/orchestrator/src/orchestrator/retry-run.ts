import { callerIn, InputError, traceparentOf, type CallerOptions } from "@troupe/core";
import type { ArtifactRef, Clock, JsonObject } from "@troupe/stream";
import {
  ranSpec,
  retryInput,
  runInputSchema,
  type DagSpec,
  type RecordedRun,
  type RunInput,
} from "@troupe/workflow";

import { asTurn } from "./as-turn.ts";
import { startRun } from "./start-run.ts";
import type { RunState } from "./state.ts";

export interface RetryOptions extends CallerOptions {
  /** The step to begin again from; the first that failed when absent. */
  readonly from?: string;
  /** Of the new run. */
  readonly newRunId: string;
  /** The caller chose that id. */
  readonly chosen?: boolean;
  readonly clock: Clock;
  /** Throws an `InputError` where a limit in dollars has no price to go by, in these steps or the answer. */
  readonly checkPrices: (spec: DagSpec) => Promise<void>;
  /** Where a file is now. */
  readonly locate: <T extends ArtifactRef>(file: T) => Promise<T>;
}

/** What a retry runs, and with what. Throws an `InputError` that says why there can be none. */
export function retryOf(
  runId: string,
  recorded: RecordedRun | undefined,
  from: string | undefined,
): { readonly again: RunInput; readonly ran: DagSpec } {
  const input = runInputSchema.safeParse(recorded?.input).data;
  if (recorded === undefined || input === undefined)
    throw new InputError(
      "input.unsupported",
      `Run "${runId}" never had a plan, so nothing of it can be done again. Ask anew what it was to do.`,
    );
  const { spec, outcome } = recorded;
  if (outcome === null)
    throw new InputError(
      "input.unsupported",
      `Run "${runId}" has not ended. Wait for its end or cancel it, then it can be done again.`,
    );
  return { again: retryInput({ spec, input, outcome }, from), ran: ranSpec(recorded) };
}

/** Begins a new run that does an earlier one again from a step on. Throws an `InputError` that says why it cannot. */
export async function retryRun(state: RunState, runId: string, options: RetryOptions): Promise<void> {
  const { from, newRunId, chosen = false, locate, trace, clock, checkPrices } = options;
  const view = await state.log.view(runId);
  if (view === null) throw new InputError("input.not-found", `There is no run "${runId}".`);
  const { again, ran } = retryOf(runId, await state.engine.recorded(runId), from);
  // Nobody is paid again for what is kept.
  await checkPrices({ ...ran, steps: ran.steps.filter(({ id }) => again.kept?.[id] === undefined) });
  const caller = options.caller ?? callerIn(again);
  const owner = caller?.id ?? again.userId;
  const { objective, threadId } = again;
  const whose = owner === undefined ? {} : { userId: owner };
  const record = { runId: newRunId, objective, ...whose, ...(threadId === undefined ? {} : { threadId }) };
  await asTurn(state, record, async (number) => {
    const asked: RunInput = {
      ...again,
      ...(caller === undefined ? {} : { userId: caller.id, scopes: [...caller.scopes] }),
      ...number,
      ...(trace === undefined ? {} : { trace: traceparentOf(trace) }),
      kept: await located(again.kept ?? {}, locate),
    };
    // As the journal keeps it.
    const input = JSON.parse(JSON.stringify(asked)) as JsonObject;
    await startRun(state, { runId: newRunId, spec: ran, input, chosen }, clock);
  });
}

/** Those who are handed a kept result find its files where they are now. */
async function located(
  kept: NonNullable<RunInput["kept"]>,
  locate: RetryOptions["locate"],
): Promise<NonNullable<RunInput["kept"]>> {
  const steps = Object.entries(kept).map(
    async ([id, step]) =>
      [id, { ...step, artifacts: await Promise.all(step.artifacts.map(locate)) }] as const,
  );
  return Object.fromEntries(await Promise.all(steps));
}
