import { addUsage, NO_USAGE, type Usage } from "@troupe/stream";

import { costOf, type Price, type Prices } from "../config/prices.ts";
import { AgentError } from "../errors/agent-error.ts";
import type { ModelRequest } from "../ports/model.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import type { Middleware, RunView } from "./middleware.ts";

const MILLION = 1_000_000;

/**
 * Ends a run that has used up what it may: tokens, cost, tool calls. A round it cannot pay is not
 * begun, and the answer of one it can is not longer than what is left. Tokens count as the provider
 * reports them, estimated where it does not; what a request will take is estimated too.
 */
export function budget(prices: Prices): Middleware {
  return {
    name: "budget",
    beforeModel: (request, run) => withinLimits(request, run, prices),
    beforeTools(calls, run) {
      const { maxToolCalls } = run.limits;
      if (maxToolCalls === undefined) return;
      const made = run.calls.filter((call) => call.status !== "not-run").length;
      if (made + calls.length <= maxToolCalls) return;
      throw limit(
        `The limit of ${maxToolCalls} tool calls was reached before the answer: ${made} were made, and ${calls.length} more were asked for.`,
      );
    },
  };
}

/** Who asks a model, and what was used before. */
export type Spending = Pick<RunView, "limits" | "spent" | "delegated" | "modelId">;

/**
 * The request, its answer no longer than what is left of each limit. Throws an `AgentError` where it
 * cannot be paid (`agent.budget`, for what it writes `agent.limit`), and where a cost limit has no price to go by (`agent.config`).
 */
export function withinLimits(request: ModelRequest, run: Spending, prices: Prices): ModelRequest {
  const { maxOutputTokens, maxTotalTokens, maxCostUsd } = run.limits;
  if (maxOutputTokens === undefined && maxTotalTokens === undefined && maxCostUsd === undefined) {
    return request;
  }
  const left = Math.min(
    request.maxOutputTokens ?? Infinity,
    maxOutputTokens === undefined ? Infinity : outputLeft(maxOutputTokens, run.spent),
    maxTotalTokens === undefined ? Infinity : totalLeft(maxTotalTokens, run, request),
    maxCostUsd === undefined ? Infinity : paidLeft(maxCostUsd, run, request, prices),
  );
  return left === Infinity ? request : { ...request, maxOutputTokens: left };
}

/** The price of a model; throws an `AgentError` (`agent.config`) where a cost limit has none to go by. */
export function priceFor(modelId: string, prices: Prices): Price {
  const price = Object.hasOwn(prices, modelId) ? prices[modelId] : undefined;
  if (price !== undefined) return price;
  const known = Object.keys(prices);
  const there = known.length === 0 ? "There are no prices" : `There are prices for ${known.join(", ")}`;
  throw new AgentError(
    "agent.config",
    `A cost limit is set, but prices (TROUPE_PRICES) has no entry for the model "${modelId}". ${there}; add { "${modelId}": { "input": ..., "output": ... } } in US dollars for a million tokens, or drop maxCostUsd.`,
  );
}

/** A limit that bounds what may be used up over several agents. */
export type SharedLimit = "maxTotalTokens" | "maxCostUsd";

const TOKENS = "The limit of";
const COST = "The cost limit of";

/**
 * Which limit an `agent.budget` error says was used up, by its message: that is all of it that comes over the
 * wire. Undefined for words that are not of this middleware.
 */
export function usedUpLimit(message: string): SharedLimit | undefined {
  if (message.startsWith(`${COST} $`)) return "maxCostUsd";
  return message.startsWith(`${TOKENS} `) ? "maxTotalTokens" : undefined;
}

function outputLeft(max: number, usage: Usage): number {
  const left = max - usage.outputTokens;
  if (left > 0) return left;
  throw limit(`The limit of ${max} output tokens was reached before the answer.`);
}

function totalLeft(max: number, run: Spending, request: ModelRequest): number {
  const used = tokensUsed(run);
  const next = estimateTokens(request);
  const left = max - used - next;
  if (left > 0) return left;
  throw usedUp(
    `${TOKENS} ${max} tokens was reached before the answer: ${used} were used, and the next round takes about ${next} more to ask.`,
  );
}

function paidLeft(max: number, run: Spending, request: ModelRequest, prices: Prices): number {
  const price = priceFor(run.modelId, prices);
  const used = dollarsUsed(run, price);
  // At least that much: what is read from the provider's cache is the cheapest input there is.
  const next = (estimateTokens(request) * Math.min(price.input, price.cacheRead ?? price.input)) / MILLION;
  const left = max - used - next;
  const tokens = price.output === 0 ? Infinity : Math.floor((left * MILLION) / price.output);
  if (left >= 0 && tokens > 0) return tokens;
  throw usedUp(
    `${COST} ${dollars(max)} was reached before the answer: ${dollars(used)} was used, and the next round takes at least ${dollars(next)} to ask.`,
  );
}

/** What is left of the limits that a run shares with the workflows it starts; undefined where it has none. */
export function sharedLimitsLeft(
  run: Spending,
  prices: Prices,
): { readonly [limit in SharedLimit]?: number } | undefined {
  const { maxTotalTokens, maxCostUsd } = run.limits;
  if (maxTotalTokens === undefined && maxCostUsd === undefined) return undefined;
  return {
    ...(maxTotalTokens === undefined ? {} : { maxTotalTokens: maxTotalTokens - tokensUsed(run) }),
    ...(maxCostUsd === undefined
      ? {}
      : { maxCostUsd: maxCostUsd - dollarsUsed(run, priceFor(run.modelId, prices)) }),
  };
}

function tokensUsed({ spent, delegated = NO_USAGE }: Spending): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = addUsage(spent, delegated);
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

function dollarsUsed({ spent, delegated }: Spending, price: Price): number {
  return costOf(spent, price) + (delegated?.costUsd ?? 0);
}

function usedUp(message: string): AgentError {
  return new AgentError("agent.budget", message);
}

function limit(message: string): AgentError {
  return new AgentError("agent.limit", message);
}

/** Small amounts with the digits that matter. */
function dollars(amount: number): string {
  return `$${amount >= 1 ? amount.toFixed(2) : String(Number(amount.toPrecision(3)))}`;
}
