import type { RunView } from "@troupe/workflow";

import { getJson } from "../adapters/get-json.ts";

/** The run of a running orchestrator with this id, or with the only id that begins like this. */
export async function findRun(url: string, id: string, token?: string): Promise<RunView> {
  return (await getJson(`${url}/api/runs/${encodeURIComponent(id)}`, token)) as RunView;
}
