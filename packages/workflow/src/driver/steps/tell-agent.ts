import type { CallerOptions } from "@troupe/core";
import type { Json, Usage } from "@troupe/stream";

import { toJson } from "../../engine/json.ts";
import type { GivenUp } from "../host.ts";
import type { DriverServices } from "../options.ts";

/** How long one agent may take to be told. */
const CANCEL_MS = 10_000;

/** What is journaled once an agent was told: what the task used, where nothing else says. */
export type Told = { readonly usage: Usage };

/**
 * Tells an agent to stop a task. Never fails: an agent that is not reachable, or done already, has
 * nothing left to be told.
 */
export async function tellAgent(
  services: DriverServices,
  runId: string,
  { agent, taskId, used }: GivenUp,
  options: CallerOptions,
): Promise<Json> {
  const enough = new AbortController();
  const limit = services.clock.sleep(CANCEL_MS, enough.signal).catch(() => undefined);
  try {
    await Promise.race([services.gateway.cancel(agent, taskId, options), limit]);
  } catch (error) {
    services.log.warn("an agent could not be told to stop", { runId, agent, taskId, error });
  } finally {
    enough.abort();
  }
  const usage = used();
  return usage === undefined ? null : toJson({ usage } satisfies Told);
}
