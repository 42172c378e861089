import { InputError } from "@troupe/core";
import type { RunView } from "@troupe/workflow";

import { getJson } from "../adapters/get-json.ts";

/** The run of a running orchestrator with this id, or with the only id that begins like this. */
export async function findRun(url: string, id: string): Promise<RunView> {
  const views = (await getJson(`${url}/api/runs`)) as readonly RunView[];
  const exact = views.find((view) => view.runId === id);
  const alike =
    exact === undefined ? views.filter((view) => id !== "" && view.runId.startsWith(id)) : [exact];
  const [found, ...others] = alike;
  if (found !== undefined && others.length === 0) return found;
  throw new InputError(
    "input.not-found",
    found === undefined
      ? `There is no run "${id}". \`troupe runs\` lists them.`
      : `Several runs begin with "${id}". Give more of the id.`,
  );
}
