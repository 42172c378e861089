import { AgentCard } from "@a2a-js/sdk";
import { DefaultAgentCardResolver } from "@a2a-js/sdk/client";
import { AgentError, readAtMost, type Fetch } from "@troupe/core";

import { agentAddress, shown } from "./agent-address.ts";
import { isObject, parseJson } from "../wire/json.ts";

export const CARD_PATH = ".well-known/agent-card.json";
/** One larger than this is no card, and not read to its end. */
export const MAX_CARD_BYTES = 1_000_000;

/** A card as it was read, and what asks whether it is still the same. */
export interface CardReading {
  readonly card: AgentCard;
  readonly text: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/**
 * Fetches and reads a card, 1.0 or 0.3. `url` is the agent's address or that of the card itself. Where
 * it is the one that is `known`, that one is given back, and need not even be sent.
 */
export async function fetchCard(
  url: string,
  options: {
    readonly fetchImpl: Fetch;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly known?: CardReading | undefined;
  },
): Promise<CardReading> {
  const { known } = options;
  const address = cardAddress(url);
  const response = await options.fetchImpl(address, {
    headers: { ...options.headers, ...conditions(known), "A2A-Version": "1.0" },
    signal: options.signal,
  });
  if (response.status === 304 && known !== undefined) return known;
  if (!response.ok) {
    await response.body?.cancel();
    throw new AgentError(
      "agent.unreachable",
      `No agent card at ${shown(address)}: HTTP ${response.status}.`,
      {
        retryable: response.status >= 500,
      },
    );
  }
  const text = await readAtMost(response, MAX_CARD_BYTES);
  if (text !== "" && text === known?.text) return known;
  const { headers } = response;
  const validators = { etag: headers.get("ETag"), lastModified: headers.get("Last-Modified") };
  return { card: readCard(text, address), text, ...validators };
}

function conditions(known: CardReading | undefined): Readonly<Record<string, string>> {
  if (known?.etag) return { "If-None-Match": known.etag };
  return known?.lastModified ? { "If-Modified-Since": known.lastModified } : {};
}

function readCard(text: string, address: string): AgentCard {
  const raw = parseJson(text);
  if (!isObject(raw) || typeof raw["name"] !== "string")
    throw new AgentError("agent.protocol", `What stands at ${shown(address)} is not an agent card.`);
  if (Array.isArray(raw["supportedInterfaces"])) return AgentCard.fromJSON(raw);
  return new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).normalizeAgentCard(raw);
}

/** Where the card of the agent at `url` is. Throws as `agentAddress` does. */
export function cardAddress(url: string): string {
  const parsed = agentAddress(url);
  if (parsed.pathname.endsWith(".json")) return parsed.href;
  const base = parsed.href.endsWith("/") ? parsed.href : `${parsed.href}/`;
  return new URL(CARD_PATH, base).href;
}
