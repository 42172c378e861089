import { InputError, type Caller } from "@troupe/core";
import type { RunView } from "@troupe/workflow";

import type { Orchestrator } from "../orchestrator/orchestrator.ts";

/**
 * The run with this id, or the only one whose id begins like this, however many are newer; with a caller
 * of theirs only.
 */
export async function findRun(
  orchestrator: Pick<Orchestrator, "run" | "runs">,
  id: string,
  caller?: Caller,
): Promise<RunView> {
  const exact = await orchestrator.run(id);
  // That somebody else has such a run is no business of theirs.
  if (exact !== null && (caller === undefined || exact.userId === caller.id)) return exact;
  const own = caller === undefined ? {} : { userId: caller.id };
  const [found, ...others] = id === "" ? [] : await orchestrator.runs({ idPrefix: id, limit: 2, ...own });
  if (found !== undefined && others.length === 0) return found;
  throw new InputError(
    "input.not-found",
    found === undefined ? noRun(id) : `Several runs begin with "${id}". Give more of the id.`,
  );
}

export const noRun = (id: string): string =>
  `There is no run "${id}". The command \`runs\` lists the latest.`;
