import type { AgentRegistry } from "@troupe/a2a";
import { answersInTime, type AgentEntry, type Caller } from "@troupe/core";
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
  const { collectionId, caller, clock, signal } = options;
  const up = agents.filter(({ status }) => status === "up");
  const texts = await answersInTime(
    up,
    async ({ name }, bounded) => {
      try {
        const connection = await registry.connection(name);
        const by = caller === undefined ? {} : { caller };
        return await connection.overview(collectionId, { signal: bounded, ...by });
      } catch {
        return undefined;
      }
    },
    { ms: TIMEOUT_MS, signal, clock },
  );
  const held = up.map(({ name }, at) => [name, texts[at]] as const);
  return new Map(held.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])));
}
