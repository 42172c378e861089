import { AgentError, InputError, isTroupeError } from "@troupe/core";
import type { AgentEventOf, InputRequest, Outcome } from "@troupe/stream";

import type { CliContext } from "../context.ts";
import { deliver } from "../deliver.ts";
import { EXIT, exitCodeOf } from "../exit-codes.ts";
import type { KnownRun } from "../follow.ts";
import type { Progress } from "../render/progress.ts";
import { withRuns, type KnownRuns } from "../runs.ts";
import { reconnect } from "../servers.ts";
import { typed } from "../typed.ts";
import { answerCommands, waitingText } from "../waiting.ts";

export interface WatchOptions {
  readonly run: string;
  /** Position of the first event. */
  readonly from: string;
  /** Folder for files; without one none are saved. */
  readonly out?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly progress: Progress;
}

/**
 * Shows a run from any position of its events to its end, across restarts of the orchestrator. It changes
 * nothing of the run: Ctrl-C leaves it going.
 */
export async function watch(context: CliContext, options: WatchOptions, known: KnownRun): Promise<number> {
  if (!/^\d{1,15}$/.test(options.from))
    throw new InputError("input.invalid", `--from "${options.from}" is no position. Positions count from 0.`);
  const { runId } = await withRuns(context, (runs) => runs.find(options.run));
  known.runId = runId;
  known.next = Number(options.from);
  let busySince: number | undefined;
  for (let begun = false; ; begun = true) {
    const turn = await withRuns(context, (runs) => readOn(context, runs, options, known));
    if (turn.busy === undefined) busySince = undefined;
    else if (!context.interrupted.aborted) {
      const now = context.clock.now();
      if (busySince === undefined && !options.quiet)
        context.err(`${turn.busy.message} Watching on in a moment ...\n`);
      if (now - (busySince ??= now) >= BUSY_MS) throw turn.busy;
      await context.clock.sleep(BUSY_PAUSE_MS, context.interrupted).catch(() => undefined);
      continue;
    }
    if (turn.finish !== undefined) return over(context, turn.finish, options, known);
    if (context.interrupted.aborted) return leave(context, options, known);
    if (turn.imported) {
      options.progress.end();
      context.err(`That is all of run ${runId}: it had not ended when it was exported.\n`);
      return EXIT.completed;
    }
    if (turn.outcome !== undefined) {
      options.progress.end();
      context.err(`Run ${runId} ended ${turn.outcome}; it has no event at ${known.next} or behind.\n`);
      return exitCodeOf(turn.outcome);
    }
    if (turn.away && !begun) throw await standsStill(context, runId);
    if (!options.quiet) context.err("The orchestrator is gone; watching on when it is back ...\n");
    const back = await reconnect(context, { url: "", release: () => Promise.resolve() });
    if (context.interrupted.aborted) return leave(context, options, known);
    if (back === undefined) throw gone(context, known);
  }
}

/** How long an orchestrator may refuse calls for their number before watching ends. */
const BUSY_MS = 60_000;
const BUSY_PAUSE_MS = 2_000;

/** How far a connection came. */
interface Turn {
  readonly finish?: AgentEventOf<"finish">;
  /** Of a run that had ended before. */
  readonly outcome?: Outcome;
  /** It takes no more calls for now, as it says. */
  readonly busy?: AgentError;
  /** Nobody drives the run. */
  readonly away: boolean;
  /** It comes from elsewhere and had not ended: nothing more of it comes. */
  readonly imported?: true;
}

async function readOn(
  context: CliContext,
  runs: KnownRuns,
  { json, progress }: WatchOptions,
  known: KnownRun,
): Promise<Turn> {
  const { runId } = known;
  const signal = context.interrupted;
  const away = runs.url === undefined;
  try {
    const { outcome, importedAt } = await runs.find(runId);
    const imported = importedAt !== undefined;
    if (away && outcome === undefined && !imported) return { away };
    for await (const { position, event } of runs.watch(runId, { from: known.next, signal })) {
      known.next = position + 1;
      if (json) context.out(`${JSON.stringify({ ...event, position })}\n`);
      else progress.event(event);
      if (event.type === "finish" && event.stepId === undefined) return { finish: event, away };
      if (event.type === "input-required" && !json && !imported)
        await sayOpen(context, runs, known, event.request);
    }
    if (imported && outcome === undefined) return { away, imported };
    return { away, ...(outcome === undefined ? {} : { outcome }) };
  } catch (error) {
    if (signal.aborted || (isTroupeError(error) && error.code === "agent.unreachable")) return { away };
    if (error instanceof AgentError && error.code === "agent.busy") return { away, busy: error };
    throw error;
  }
}

/** How to answer what is asked, unless it was answered since. */
async function sayOpen(
  context: CliContext,
  runs: KnownRuns,
  { runId }: KnownRun,
  { requestId }: InputRequest,
): Promise<void> {
  const { requests } = await runs.find(runId);
  const open = requests.filter(({ request }) => request.requestId === requestId);
  if (open.length > 0) context.err(waitingText(context, runId, open));
}

function over(
  context: CliContext,
  finish: AgentEventOf<"finish">,
  { progress, ...options }: WatchOptions,
  { runId }: KnownRun,
): Promise<number> {
  progress.end();
  return deliver(context, { runId, finish, requests: [] }, options);
}

function leave(context: CliContext, { progress }: WatchOptions, { runId, next }: KnownRun): number {
  progress.end();
  context.err(`\nThe run goes on. To see what comes: ${typed(context, `watch ${runId} --from ${next}`)}\n`);
  return EXIT.interrupted;
}

async function standsStill(context: CliContext, runId: string): Promise<AgentError> {
  const { status, requests } = await withRuns(context, (runs) => runs.find(runId));
  const next =
    status === "input-required"
      ? `It waits for a person: ${requests.flatMap((asked) => answerCommands(context, runId, asked)).join("; ")}`
      : `Go on with it: ${typed(context, `resume ${runId}`)}`;
  return new AgentError(
    "agent.unreachable",
    `No servers are up on this home, so run ${runId} stands still. ${next}`,
  );
}

function gone(context: CliContext, { runId, next }: KnownRun): AgentError {
  return new AgentError(
    "agent.unreachable",
    `The orchestrator does not come back. The run is kept; when it is up again: ${typed(context, `watch ${runId} --from ${next}`)}`,
    { retryable: true },
  );
}
