import type { Model } from "@troupe/core";
import type OpenAI from "openai";

import { watchedFetch } from "../adapters/watched-fetch.ts";
import { callImages, type LoadedMessage } from "../calls/call-images.ts";
import { callPolicy, type CallOptions } from "../calls/call-options.ts";
import { checkModel } from "../calls/check-model.ts";
import type { Endpoint } from "../calls/explain-failure.ts";
import { createFeatures } from "../calls/features.ts";
import { streamCall } from "../calls/stream-call.ts";
import { wellFormedRequest } from "../schema/well-formed-request.ts";
import { openaiDecoder } from "./decoder.ts";
import { OPENAI_FEATURES, toOpenaiRequest, type OpenaiSettings } from "./request.ts";

export interface OpenaiCompatibleModelOptions extends CallOptions {
  /** With the version, such as `http://127.0.0.1:11434/v1`. */
  readonly baseURL: string;
  /** Left out where the server wants none. Sent as a bearer token, never logged. */
  readonly apiKey?: string;
  /** As the server names it, such as `llama3.3`. */
  readonly model: string;
  /** Bound where the request names none; the server's own when absent. */
  readonly maxOutputTokens?: number;
}

/**
 * Any server that speaks chat completions: Ollama, vLLM, LM Studio, Databricks. What a server
 * refuses (usage in the stream, strict schemas, forced calls) is left out from then on by this
 * instance. Its `stream` throws the same errors as `anthropicModel`.
 */
export function openaiCompatibleModel(options: OpenaiCompatibleModelOptions): Model {
  const settings: OpenaiSettings = { model: options.model, maxOutputTokens: options.maxOutputTokens };
  const endpoint: Endpoint = {
    provider: "The model server",
    model: options.model,
    address: options.baseURL,
    secret: options.apiKey,
    keySetting: "OPENAI_API_KEY",
  };
  const images = callImages({ vision: options.vision ?? true, model: settings.model, log: options.log });
  const features = createFeatures(OPENAI_FEATURES);

  return {
    id: options.model,
    stream(asked, { signal, images: source }) {
      const request = wellFormedRequest(asked);
      let loaded: readonly LoadedMessage[] | undefined;
      let used: ReturnType<typeof toOpenaiRequest>["used"] = new Set();
      return streamCall(
        {
          endpoint,
          async open(inner, onBytes) {
            loaded ??= await images.load(request.messages, source, inner);
            const current = toOpenaiRequest(request, loaded, settings, features);
            ({ used } = current);
            const client = await connect(options, onBytes);
            return client.chat.completions.create(current.params, { signal: inner });
          },
          maxOutputTokens: request.maxOutputTokens ?? settings.maxOutputTokens,
          // The length of the conversation makes the id unique within it.
          decoder: () => openaiDecoder((position) => `call_${request.messages.length}_${position}`),
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
            features.drop(refused);
            return true;
          },
        },
        callPolicy(options),
        signal,
      );
    },
    check: ({ signal }) =>
      checkModel(async () => (await connect(options)).models.list({ signal }), {
        endpoint,
        clock: options.clock,
        signal,
      }),
  };
}

/** A client for one attempt, so that its bytes are watched by that attempt alone. Sockets are shared anyway. */
async function connect(
  options: OpenaiCompatibleModelOptions,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<OpenAI> {
  // On first use, not at import: whoever runs on another model never loads this SDK.
  const { default: Client } = await import("openai");
  return new Client({
    apiKey: options.apiKey ?? "none",
    // A server without keys gets no header; some refuse one they cannot check.
    ...(options.apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    baseURL: options.baseURL,
    organization: null,
    project: null,
    fetch: watchedFetch(onBytes),
    // Both are ours: the SDK's timeout ends with the headers, and its retries know no clock of ours.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: "off",
  });
}
