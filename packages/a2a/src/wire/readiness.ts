import type { AgentCapabilities } from "@troupe/core";

import { isObject, listOf, parseJson } from "./json.ts";

/** What `/readyz` answers. */
export interface Readiness {
  readonly ok: boolean;
  /** What keeps the agent from working, in words; empty when nothing does. */
  readonly reasons: readonly string[];
  readonly capabilities: AgentCapabilities;
  /** The model it asks, where a cost limit has no price of it to go by. */
  readonly unpriced?: string;
}

/** Reasons that are told at most, and characters of each: a stranger writes them. */
const MAX_REASONS = 10;
const MAX_REASON = 300;

/** What an agent says of its readiness; undefined for anything that is no such answer. */
export function readReadiness(text: string): Readiness | undefined {
  const raw = parseJson(text);
  if (!isObject(raw) || typeof raw["ok"] !== "boolean") return undefined;
  const { unpriced } = raw;
  const said = isObject(raw["capabilities"]) ? raw["capabilities"] : {};
  // An agent of before capabilities were told apart says that it cannot work, and in words why.
  const answers = (name: keyof AgentCapabilities): boolean => said[name] !== false;
  return {
    ok: raw["ok"],
    reasons: listOf(raw["reasons"])
      .filter((reason) => typeof reason === "string")
      .slice(0, MAX_REASONS)
      .map((reason) => reason.slice(0, MAX_REASON).toWellFormed()),
    capabilities: { card: answers("card"), model: answers("model"), tools: answers("tools") },
    ...(typeof unpriced === "string" ? { unpriced: unpriced.slice(0, MAX_REASON).toWellFormed() } : {}),
  };
}
