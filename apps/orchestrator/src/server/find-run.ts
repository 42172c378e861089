import { InputError } from "@troupe/core";
import type { RunView } from "@troupe/workflow";

import type { Orchestrator } from "../orchestrator/orchestrator.ts";

/** The run with this id, or the only one whose id begins like this, however many are newer. */
export async function findRun(
  orchestrator: Pick<Orchestrator, "run" | "runs">,
  id: string,
): Promise<RunView> {
  const exact = await orchestrator.run(id);
  if (exact !== null) return exact;
  const [found, ...others] = id === "" ? [] : await orchestrator.runs({ idPrefix: id, limit: 2 });
  if (found !== undefined && others.length === 0) return found;
  throw new InputError(
    "input.not-found",
    found === undefined
      ? `There is no run "${id}". The command \`runs\` lists the latest.`
      : `Several runs begin with "${id}". Give more of the id.`,
  );
}
