import type { Usage } from "@troupe/stream";
import { z } from "zod";

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
