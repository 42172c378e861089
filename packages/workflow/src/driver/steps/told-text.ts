import type { EventLog } from "@troupe/core";
import type { AgentEvent } from "@troupe/stream";

import type { RunLog } from "../../engine/run-log.ts";

/** Characters of each item that an event log has, by `itemKey`. */
export type ToldText = ReadonlyMap<string, number>;

/** How the driver knows an item of a step's text, whoever tells of it. */
export const itemKey = (event: Pick<AgentEvent, "stepId" | "attempt">, itemId: string): string =>
  JSON.stringify([event.stepId ?? "", event.attempt, itemId]);

/**
 * How much text of a run stands in its log by now. An agent that is joined again tells all of its text once
 * more, cut into pieces as it likes: what stands there already is known by its length alone.
 */
export async function toldText(
  log: EventLog & Partial<Pick<RunLog, "end">>,
  runId: string,
): Promise<ToldText> {
  const told = new Map<string, number>();
  // What is not in it yet is told all the same.
  await log.drained?.(runId);
  const end = (await log.end?.(runId)) ?? 0;
  if (end === 0) return told;
  const enough = new AbortController();
  let position = 0;
  for await (const { event } of log.read(runId, { from: 0, signal: enough.signal })) {
    if (event.type === "text-delta") {
      const key = itemKey(event, event.itemId);
      told.set(key, (told.get(key) ?? 0) + event.delta.length);
    }
    if (++position === end) enough.abort();
  }
  return told;
}

/** Leaves out of what is told again what is there. */
export class UntoldText {
  readonly #told: () => ToldText;
  readonly #heard = new Map<string, number>();

  constructor(told: () => ToldText) {
    this.#told = told;
  }

  /** The part of a delta that is new; undefined where nothing of it is. */
  of(event: AgentEvent & { readonly type: "text-delta" }): string | undefined {
    const key = itemKey(event, event.itemId);
    const from = this.#heard.get(key) ?? 0;
    this.#heard.set(key, from + event.delta.length);
    const known = (this.#told().get(key) ?? 0) - from;
    if (known <= 0) return event.delta;
    return known >= event.delta.length ? undefined : event.delta.slice(known);
  }
}
