import type { RunLog } from "../engine/run-log.ts";
import type { RunInput, RunView } from "../engine/run.ts";

/** Turns that are looked at, from the latest on. */
const MAX_TURNS = 100;
/** The latest of them, whose results may be built upon. */
export const MAX_WHOLE = 10;

export interface RunSource {
  readonly log: Pick<RunLog, "runs">;
  readonly engine: {
    /** What a run was asked; undefined for one that was never begun. */
    input(runId: string): Promise<RunInput | undefined>;
  };
}

export interface ThreadQuery {
  readonly threadId: string;
  /** Whose it is: nobody sees the turns of another, whatever conversation they name. */
  readonly userId?: string;
  /** The run that is about to begin; it is no turn before itself. */
  readonly runId?: string;
}

export interface NumberedRun {
  readonly turn: number;
  readonly view: RunView;
  /** At hand for the latest only. */
  readonly input?: RunInput;
}

/**
 * The runs of a conversation before one, oldest first, and the number of that one. A run keeps the number that stands
 * in its input, so that its results keep their names when runs before it are forgotten. One without, which was
 * never begun or is of an earlier version, is counted on from the one before it.
 */
export async function numberTurns(
  { log, engine }: RunSource,
  { runId, threadId, userId }: ThreadQuery,
): Promise<{ readonly before: readonly NumberedRun[]; readonly turn: number }> {
  const whose = userId === undefined ? {} : { userId };
  const views = (await log.runs({ threadId, ...whose, limit: MAX_TURNS })).toReversed();
  const first = views.length - MAX_WHOLE - 1;
  const inputs = await Promise.all(
    views.map(async (view, at) => (at < first ? undefined : engine.input(view.runId))),
  );
  const known = inputs.findIndex((input) => input?.turn !== undefined);
  let highest = Math.max(0, (inputs[known]?.turn ?? 0) - known - 1);
  const runs = views.map((view, at): NumberedRun => {
    const input = inputs[at];
    const turn = input?.turn ?? highest + 1;
    highest = Math.max(highest, turn);
    return { turn, view, ...(input === undefined ? {} : { input }) };
  });
  const own = runs.find(({ view }) => view.runId === runId);
  return { before: runs.filter((run) => run !== own), turn: own?.turn ?? highest + 1 };
}
