import { isTroupeError } from "@troupe/core/errors";

import { getJson } from "../adapters/get-json.ts";

/** Whether an orchestrator that is up asks who calls, whatever is set in this shell; undefined where it does not say. */
export async function asksCallers(url: string): Promise<boolean | undefined> {
  try {
    await getJson(`${url}/api/model`);
    return false;
  } catch (error) {
    return isTroupeError(error) && error.code === "agent.unauthenticated" ? true : undefined;
  }
}
