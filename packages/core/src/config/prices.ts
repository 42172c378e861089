import type { Usage } from "@troupe/stream";
import { z } from "zod";

import type { Model } from "../ports/model.ts";

/** US dollars for a million tokens. */
export const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** Input read from the provider's cache; as `input` when absent. */
  cacheRead: z.number().nonnegative().exactOptional(),
  /** Input written to the provider's cache; as `input` when absent. */
  cacheWrite: z.number().nonnegative().exactOptional(),
});
export type Price = z.output<typeof priceSchema>;

/** By model id. */
export type Prices = { readonly [model: string]: Price };

const NOTHING: Price = { input: 0, output: 0 };

/** What a cost limit goes by, for this model and the others: one that nobody is paid for needs no price. */
export function limitPrices({ id, free }: Pick<Model, "id" | "free">, prices: Prices): Prices {
  return free !== true || Object.hasOwn(prices, id) ? prices : { ...prices, [id]: NOTHING };
}

/** The id of the model, where a cost limit has no price of it to go by. */
export function unpricedModel(model: Pick<Model, "id" | "free">, prices: Prices): string | undefined {
  return Object.hasOwn(limitPrices(model, prices), model.id) ? undefined : model.id;
}

const MILLION = 1_000_000;

/** The usage with what it costs, where the model has a price. */
export function withCost(usage: Usage, modelId: string, prices: Prices): Usage {
  const price = Object.hasOwn(prices, modelId) ? prices[modelId] : undefined;
  return price === undefined ? usage : { ...usage, costUsd: costOf(usage, price) };
}

/** What the usage costs in US dollars. */
export function costOf(usage: Usage, price: Price): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return (
    (inputTokens * input +
      outputTokens * output +
      cacheReadTokens * cacheRead +
      cacheWriteTokens * cacheWrite) /
    MILLION
  );
}
