import type { AgentRegistry } from "@troupe/a2a";
import type { AgentEntry, Caller } from "@troupe/core";
import type { Clock } from "@troupe/stream";

/** In milliseconds; short, because planning works without overviews. */
const TIMEOUT_MS = 4_000;

/**
 * Overviews of the data that the caller may read, by name of the agent, of all agents that are up. Agents that fail or
 * are late are left out; never throws.
 */
export async function readHoldings(
  registry: Pick<AgentRegistry, "connection">,
  agents: readonly AgentEntry[],
  options: {
    readonly collectionId: string | undefined;
    readonly caller: Caller | undefined;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): Promise<ReadonlyMap<string, string>> {
  const { collectionId, caller, clock } = options;
  const late = new AbortController();
  const signal = AbortSignal.any([options.signal, late.signal]);
  const over = Promise.withResolvers<undefined>();
  signal.addEventListener("abort", () => over.resolve(undefined), { once: true });
  if (signal.aborted) return new Map();
  const stop = clock.schedule(TIMEOUT_MS, () => late.abort());
  const readOne = async (name: string): Promise<string | undefined> => {
    try {
      const connection = await registry.connection(name);
      return await connection.overview(collectionId, { signal, ...(caller === undefined ? {} : { caller }) });
    } catch {
      return undefined;
    }
  };
  try {
    const up = agents.filter(({ status }) => status === "up");
    const held = await Promise.all(
      up.map(async ({ name }) => ({ name, text: await Promise.race([readOne(name), over.promise]) })),
    );
    return new Map(held.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text] as const])));
  } finally {
    stop();
    over.resolve(undefined);
  }
}
