import { createSseReader } from "@troupe/a2a/capture";
import { AgentError, agentEventSchema, TroupeError } from "@troupe/core";
import { z } from "zod";

import type { WatchedEvent } from "../orchestrator/watch-run.ts";
import { ask } from "./get-json.ts";

/** More than any event has: an answer with its data is the largest. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

const watchedSchema = z.object({ position: z.number().int().nonnegative(), event: agentEventSchema });
const brokenSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/**
 * Events of a run as a running orchestrator sends them. Ends with them, or when the orchestrator does.
 * Throws a `TroupeError` with what it says when it cannot go on, else as `ask` does.
 */
export async function* watchEvents(
  address: string,
  options: { readonly from: number; readonly token: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<WatchedEvent> {
  const { from, ...how } = options;
  const response = await ask(`${address}?from=${from}`, how);
  const reader = createSseReader(MAX_EVENT_BYTES);
  try {
    for await (const chunk of response.body ?? [])
      for (const { event, data, cut } of reader.push(chunk)) {
        if (cut) throw new AgentError("agent.protocol", `${address} sent an event that is too large.`);
        if (event !== "error") yield watchedSchema.parse(JSON.parse(data));
        else throw toError(data);
      }
  } catch (error) {
    // It ended with its process; whoever reads comes back behind the last event.
    if (error instanceof TroupeError || options.signal.aborted) throw error;
    throw new AgentError("agent.unreachable", `${address} does not answer any more.`, {
      cause: error,
      retryable: true,
    });
  }
}

function toError(data: string): TroupeError {
  const { code, message } = brokenSchema.parse(JSON.parse(data)).error;
  return new TroupeError(code, message);
}
