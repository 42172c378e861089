import { AgentCard } from "@a2a-js/sdk";
import { agentCardHandler } from "@a2a-js/sdk/server/express";
import type { RequestHandler } from "express";

/**
 * The card as ProtoJSON (the SDK would serialize its own objects as they are), or as a 0.3 card for
 * those who name no version. With an ETag, and never held back by a cache: a card may change.
 */
export function cardRoute(card: AgentCard): RequestHandler {
  const served = { ...card, toJSON: () => AgentCard.toJSON(card) };
  return agentCardHandler({
    agentCardProvider: () => Promise.resolve(served),
    cache: { maxAge: 0 },
    legacyCompat: { enabled: true },
  });
}
