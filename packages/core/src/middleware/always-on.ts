import type { AgentConfig } from "../config/agent-config.ts";
import { limitPrices } from "../config/prices.ts";
import type { Model } from "../ports/model.ts";
import { approval } from "./approval.ts";
import { budget, priceFor } from "./budget.ts";
import { hooksOf, type Hooks } from "./hooks.ts";
import type { Middleware } from "./middleware.ts";
import { retry } from "./retry.ts";

/**
 * The hooks of an agent: what was given, between what no switch turns off. Budget stands behind it
 * because it counts the request as it is sent, approval because a person decides about the call as
 * it would run. Throws an `AgentError` (`agent.config`) for a cost limit without a price.
 */
export function agentHooks(config: AgentConfig, model: Model, given: readonly Middleware[]): Hooks {
  const prices = limitPrices(model, config.prices);
  if (config.limits.maxCostUsd !== undefined) priceFor(model.id, prices);
  return hooksOf([retry(), ...given, budget(prices), approval(config.approve)]);
}
