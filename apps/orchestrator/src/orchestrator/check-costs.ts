import { unpricedModel, type AgentEntry, type Model, type Prices } from "@troupe/core";
import type { DagSpec } from "@troupe/workflow";

import { invalid } from "./invalid.ts";

export interface CostsOptions {
  /** Asked only where there is a limit: one that is away is waited for. */
  readonly agents: () => Promise<readonly AgentEntry[]>;
  /** Writes the answer where several steps have a part in it. */
  readonly model: Pick<Model, "id" | "free">;
  /** Of that model. */
  readonly prices: Prices;
}

/**
 * Rejects with an `InputError` where a cost limit holds for a model that has no price, before anything runs. Of agents
 * only those that tell are known.
 */
export async function checkCosts(spec: DagSpec, { agents, model, prices }: CostsOptions): Promise<void> {
  const ofRun = spec.limits?.maxCostUsd !== undefined;
  if (!ofRun && spec.steps.every(({ limits }) => limits.maxCostUsd === undefined)) return;
  const unpriced = new Map((await agents()).map((entry) => [entry.name, entry.unpriced]));
  const steps = spec.steps.flatMap(({ id, kind, agent, limits }) => {
    const lacks = kind === "agent" ? unpriced.get(agent) : undefined;
    if (lacks === undefined || (!ofRun && limits.maxCostUsd === undefined)) return [];
    const where =
      limits.maxCostUsd === undefined ? "limits.max_cost_usd" : `step "${id}": limits.max_cost_usd`;
    return [problem(where, lacks, `agent "${agent}" asks`)];
  });
  const own = ofRun && spec.final === "synthesize" ? unpricedModel(model, prices) : undefined;
  const issues =
    own === undefined ? steps : [...steps, problem("limits.max_cost_usd", own, "writes the answer")];
  if (issues.length > 0) throw invalid([...new Set(issues)]);
}

function problem(where: string, model: string, use: string): string {
  return `${where} needs a price of the model "${model}", which ${use}, and there is none. Set TROUPE_PRICES, such as {"${model}":{"input":3,"output":15}} in US dollars for a million tokens, where that runs, or leave max_cost_usd out.`;
}
