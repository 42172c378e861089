import type Anthropic from "@anthropic-ai/sdk";
import type { Model } from "@troupe/core";

import { watchedFetch } from "../adapters/watched-fetch.ts";
import { callImages, type LoadedMessage } from "../calls/call-images.ts";
import { callPolicy, type CallOptions } from "../calls/call-options.ts";
import { checkModel } from "../calls/check-model.ts";
import type { Endpoint } from "../calls/explain-failure.ts";
import { createFeatures } from "../calls/features.ts";
import { streamCall } from "../calls/stream-call.ts";
import { wellFormedRequest } from "../schema/well-formed-request.ts";
import { anthropicDecoder } from "./decoder.ts";
import { ANTHROPIC_FEATURES, toAnthropicRequest, type AnthropicSettings } from "./request.ts";
import { createThinkingMemory } from "./thinking-memory.ts";

/** What is used when nobody names a model. */
export const DEFAULT_ANTHROPIC_MODEL = "claude-sonnet-5-5";

const ADDRESS = "https://api.anthropic.com";

export interface AnthropicModelOptions extends CallOptions {
  /** One of the two. Sent as a bearer token, never logged. */
  readonly apiKey?: string;
  readonly authToken?: string;
  /** `claude-sonnet-5-5` by default. */
  readonly model?: string;
  /** A gateway or a fake instead of the public API. */
  readonly baseURL?: string;
  /** Bound where the request names none. 16,384 by default. It covers reasoning too. */
  readonly maxOutputTokens?: number;
  /** Reasoning mode; the model's own default when absent. `between_tools` answers soonest. */
  readonly thinking?: "adaptive" | "between_tools" | "disabled";
  /** How hard the model tries; its own default when absent. */
  readonly effort?: "low" | "medium" | "high" | "xhigh" | "max";
}

/**
 * Claude through the Messages API: streamed, with prompt caching, `finish` streamed while it is
 * written, own timeouts and retries. What an endpoint refuses (eager streaming, strict schemas,
 * forced calls) is left out from then on by this instance.
 *
 * Its `stream` throws a `ModelError`: `model.auth` (not retryable), `model.rate-limited`,
 * `model.overloaded`, `model.unreachable`, `model.first-token-timeout`, `model.idle-timeout`,
 * `model.stream-broken` (all retryable, but for an answer beyond all bounds), `model.invalid-request`.
 */
export function anthropicModel(options: AnthropicModelOptions): Model {
  const settings: AnthropicSettings = {
    model: options.model ?? DEFAULT_ANTHROPIC_MODEL,
    maxOutputTokens: options.maxOutputTokens ?? 16_384,
    thinking: options.thinking,
    effort: options.effort,
  };
  const endpoint: Endpoint = {
    provider: "Anthropic",
    model: settings.model,
    address: options.baseURL ?? ADDRESS,
    secret: options.apiKey ?? options.authToken,
    keySetting: options.authToken === undefined ? "ANTHROPIC_API_KEY" : "ANTHROPIC_AUTH_TOKEN",
  };
  const images = callImages({ vision: options.vision ?? true, model: settings.model, log: options.log });
  const features = createFeatures(ANTHROPIC_FEATURES);
  const memory = createThinkingMemory();

  return {
    id: settings.model,
    stream(asked, { signal, images: source }) {
      const request = wellFormedRequest(asked);
      let loaded: readonly LoadedMessage[] | undefined;
      let used: ReturnType<typeof toAnthropicRequest>["used"] = new Set();
      return streamCall(
        {
          endpoint,
          async open(inner, onBytes) {
            loaded ??= await images.load(request.messages, source, inner);
            const current = toAnthropicRequest(request, loaded, settings, features, memory);
            ({ used } = current);
            const client = await connect(options, endpoint.address, onBytes);
            return client.messages.create(current.params, { signal: inner });
          },
          maxOutputTokens: request.maxOutputTokens ?? settings.maxOutputTokens,
          decoder: () => anthropicDecoder((content) => memory.keep(content)),
          degrade(error) {
            if (images.refused(error, loaded ?? [])) {
              loaded = undefined;
              return true;
            }
            const refused = features.refused(error, used);
            if (refused === undefined) return false;
            options.log.info("the endpoint refuses a part of the request, going on without it", {
              model: settings.model,
              part: refused,
            });
            // Reasoning that no longer fits one conversation says nothing about the next.
            if (refused === "thinking") memory.forget();
            else features.drop(refused);
            return true;
          },
        },
        callPolicy(options),
        signal,
      );
    },
    check: ({ signal }) =>
      checkModel(
        async () =>
          (await connect(options, endpoint.address)).models.retrieve(settings.model, {}, { signal }),
        { endpoint, clock: options.clock, signal },
      ),
  };
}

/** A client for one attempt, so that its bytes are watched by that attempt alone. Sockets are shared anyway. */
async function connect(
  options: AnthropicModelOptions,
  baseURL: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Anthropic> {
  // On first use, not at import: whoever runs on another model never loads this SDK.
  const { default: Client } = await import("@anthropic-ai/sdk");
  return new Client({
    ...(options.authToken === undefined
      ? { apiKey: options.apiKey ?? "" }
      : { authToken: options.authToken }),
    baseURL,
    fetch: watchedFetch(onBytes),
    // Both are ours: the SDK's timeout ends with the headers, and its retries know no clock of ours.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: "off",
    // Spans belong to the service room; two injectors would split the trace.
    openTelemetry: false,
  });
}
