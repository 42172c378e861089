import { addUsage, NO_USAGE, type AgentEvent, type Usage } from "@troupe/stream";

/** What work took, and on which models. */
export interface UsageDetail {
  readonly total: Usage;
  /**
   * By the name the provider gave, as the agents told it while they worked. Attempts that were given up
   * are told here and count in no total, so the sum may be more.
   */
  readonly models: readonly { readonly model: string; readonly usage: Usage }[];
}

/** What an agent that a step asked had others do, as far as it is told. */
export interface CallUsage extends UsageDetail {
  /** Steps on the way to it, the outermost first. */
  readonly path: readonly string[];
  readonly agent: string;
}

/** Adds up `usage` events. */
export class UsageSum {
  readonly #models = new Map<string, Usage>();
  #total = NO_USAGE;

  add(event: AgentEvent): void {
    if (event.type !== "usage") return;
    this.#total = addUsage(this.#total, event.usage);
    this.#models.set(event.model, addUsage(this.#models.get(event.model) ?? NO_USAGE, event.usage));
  }

  /** @param total where it is known from elsewhere */
  detail(total: Usage = this.#total): UsageDetail {
    return { total, models: [...this.#models].map(([model, usage]) => ({ model, usage })) };
  }
}

/** What is left of `all` without `part`. */
export function usageWithout(all: Usage, part: Usage): Usage {
  return {
    inputTokens: all.inputTokens - part.inputTokens,
    outputTokens: all.outputTokens - part.outputTokens,
    cacheReadTokens: all.cacheReadTokens - part.cacheReadTokens,
    cacheWriteTokens: all.cacheWriteTokens - part.cacheWriteTokens,
    modelCalls: all.modelCalls - part.modelCalls,
  };
}
