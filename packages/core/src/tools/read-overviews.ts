import type { Clock } from "@troupe/stream";

import type { Log } from "../ports/log.ts";
import type { OverviewRequest, ToolSource } from "../ports/tool.ts";

/** Characters of an overview of all sources of an agent. */
export const MAX_OVERVIEW = 2_500;
/** In milliseconds; short, because a run works without an overview. */
const OVERVIEW_TIMEOUT_MS = 3_000;
/** Characters of a line; the longest are lists of columns. */
const MAX_LINE = 1_000;

/** The overviews of these sources. One that fails or is late is left out; undefined where nothing remains. */
export async function readOverviews(
  sources: readonly ToolSource[],
  request: OverviewRequest,
  { signal, clock, log }: { readonly signal: AbortSignal; readonly clock: Clock; readonly log: Log },
): Promise<string | undefined> {
  const able = sources.filter((source) => source.overview !== undefined);
  if (able.length === 0) return undefined;
  const texts = await answersInTime(
    able,
    async (source, bounded) => {
      try {
        return await source.overview?.(request, { signal: bounded });
      } catch (error) {
        log.debug("a tool source gave no overview", { source: source.name, error });
        return undefined;
      }
    },
    { ms: OVERVIEW_TIMEOUT_MS, signal, clock },
  );
  return boundOverview(texts.filter((text) => text !== undefined).join("\n"));
}

/**
 * Calls `ask` for all at once and returns the answers in their order, with undefined for each that does not come within
 * `ms` milliseconds or before the signal aborts. `ask` gets a signal that aborts then; it must not throw.
 */
export async function answersInTime<Asked, Answer>(
  all: readonly Asked[],
  ask: (one: Asked, signal: AbortSignal) => Promise<Answer>,
  options: { readonly ms: number; readonly signal: AbortSignal; readonly clock: Clock },
): Promise<readonly (Answer | undefined)[]> {
  const timeout = new AbortController();
  const signal = AbortSignal.any([options.signal, timeout.signal]);
  if (signal.aborted) return all.map(() => undefined);
  const aborted = Promise.withResolvers<undefined>();
  signal.addEventListener("abort", () => aborted.resolve(undefined), { once: true });
  const stop = options.clock.schedule(options.ms, () => timeout.abort());
  try {
    return await Promise.all(all.map((one) => Promise.race([ask(one, signal), aborted.promise])));
  } finally {
    stop();
    aborted.resolve(undefined);
  }
}

/** Whole lines within `MAX_OVERVIEW`, without control characters and angle brackets; undefined if none is left. */
export function boundOverview(text: string): string | undefined {
  const lines = text
    .slice(0, 4 * MAX_OVERVIEW)
    .toWellFormed()
    .split(/\r?\n/)
    // Angle brackets could pass for the end of the block that overviews are shown in.
    .map((line) => line.replaceAll(/\p{C}/gu, " ").replaceAll(/[<>]/g, "'").trimEnd().slice(0, MAX_LINE))
    .filter((line) => line.trim() !== "");
  const kept: string[] = [];
  let room = MAX_OVERVIEW;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return kept.length === 0 ? undefined : kept.join("\n");
}
