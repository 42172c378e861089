import { readAtMost, type AgentCapabilities, type Fetch } from "@troupe/core";

import { fetchCard, type CardReading } from "../client/fetch-card.ts";
import { besideCard } from "../client/fetch-overview.ts";
import { speaksExtension } from "../wire/card.ts";
import { readReadiness, type Readiness } from "../wire/readiness.ts";

export interface CheckOptions {
  readonly fetchImpl: Fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The card as it was read last: whether it is still the same is asked, and mostly no card is sent. */
  readonly known?: CardReading | undefined;
}

export interface Checked {
  readonly reading: CardReading;
  /** Undefined for an agent that does not tell. */
  readonly capabilities: AgentCapabilities | undefined;
  /** The model it asks that has no price, where it tells. */
  readonly unpriced?: string | undefined;
  /** Why it cannot work; empty when it can. */
  readonly reasons: readonly string[];
}

/** One of our agents says in a few lines how it is. */
const MAX_BYTES = 64 * 1024;

/**
 * Looks at an agent once: its card, and what `/readyz` says where it is one of ours. A foreign agent
 * is well when its card answers, and so is one behind a proxy that lets nobody see more.
 */
export async function checkAgent(url: string, options: CheckOptions): Promise<Checked> {
  const { known } = options;
  // One of ours is asked both at once, as soon as that is known.
  const early = known !== undefined && speaksExtension(known.card) ? readinessOf(url, options) : undefined;
  const [reading, told] = await Promise.all([fetchCard(url, options), early]);
  const late = early === undefined && speaksExtension(reading.card);
  const readiness = late ? await readinessOf(url, options) : told;
  if (readiness === undefined) return { reading, capabilities: undefined, reasons: [] };
  const { ok, reasons, capabilities, unpriced } = readiness;
  const why = reasons.length > 0 ? reasons : ["it is not ready"];
  return { reading, capabilities, unpriced, reasons: ok ? [] : why };
}

async function readinessOf(url: string, options: CheckOptions): Promise<Readiness | undefined> {
  const { fetchImpl, headers, signal } = options;
  const response = await fetchImpl(besideCard(url, "readyz"), { headers, signal }).catch(() => undefined);
  signal.throwIfAborted();
  // Whether the agent is there at all, its card says.
  if (response === undefined) return undefined;
  if (response.status === 200 || response.status === 503)
    return readReadiness(await readAtMost(response, MAX_BYTES).catch(() => ""));
  await response.body?.cancel();
  return undefined;
}
