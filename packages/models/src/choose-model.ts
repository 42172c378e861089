import { InputError, type Log, type Model, type ModelError } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { anthropicModel, DEFAULT_ANTHROPIC_MODEL } from "./anthropic/anthropic-model.ts";
import { withoutCredentials } from "./calls/secrets.ts";
import { openaiCompatibleModel } from "./openai/openai-compatible-model.ts";

/** Settings as a process read them. Empty text counts as not set. */
export interface ModelChoice {
  readonly anthropicApiKey?: string | undefined;
  readonly anthropicBaseUrl?: string | undefined;
  readonly openaiBaseUrl?: string | undefined;
  readonly openaiApiKey?: string | undefined;
  readonly model?: string | undefined;
  /**
   * How often a call is repeated that failed before its first event; the adapter's 2 when absent.
   * 0 for an agent, whose loop asks again by itself and shows it.
   */
  readonly maxRetries?: number;
  /** The model that needs no key, used where none is set. */
  readonly embedded: Model;
  readonly clock: Clock;
  readonly log: Log;
  /** How each call went, once it has: undefined where the model answered. */
  readonly onOutcome?: (failure: ModelError | undefined) => void;
}

export interface ChosenModel {
  readonly kind: "anthropic" | "openai-compatible" | "playbook";
  readonly model: Model;
  /** One line for people, without secrets. */
  readonly describe: string;
}

/**
 * Which model a process runs on: Anthropic with a key, else the compatible server at the base URL,
 * else the embedded one. Throws an `InputError` when a server is named without a model.
 */
export function chooseModel(choice: ModelChoice): ChosenModel {
  const { clock, log } = choice;
  const calls = {
    clock,
    log,
    ...(choice.maxRetries === undefined ? {} : { maxRetries: choice.maxRetries }),
    ...(choice.onOutcome === undefined ? {} : { onOutcome: choice.onOutcome }),
  };
  if (choice.anthropicApiKey) {
    const model = anthropicModel({
      apiKey: choice.anthropicApiKey,
      model: choice.model || DEFAULT_ANTHROPIC_MODEL,
      ...(choice.anthropicBaseUrl ? { baseURL: choice.anthropicBaseUrl } : {}),
      ...calls,
    });
    const ignored = choice.openaiBaseUrl ? " OPENAI_BASE_URL is set too and not used." : "";
    return { kind: "anthropic", model, describe: `Running on ${model.id} at Anthropic.${ignored}` };
  }
  if (choice.openaiBaseUrl) {
    if (!choice.model) {
      throw new InputError(
        "input.invalid",
        `OPENAI_BASE_URL is set to "${withoutCredentials(choice.openaiBaseUrl)}", but no model is named. Name one that the server offers, such as "llama3.3".`,
      );
    }
    const model = openaiCompatibleModel({
      baseURL: choice.openaiBaseUrl,
      ...(choice.openaiApiKey ? { apiKey: choice.openaiApiKey } : {}),
      model: choice.model,
      ...calls,
    });
    return {
      kind: "openai-compatible",
      model,
      describe: `Running on ${model.id} at ${withoutCredentials(choice.openaiBaseUrl)}.`,
    };
  }
  const hint = choice.openaiApiKey ? " (OPENAI_API_KEY needs OPENAI_BASE_URL beside it.)" : "";
  return {
    kind: "playbook",
    model: choice.embedded,
    describe: `No model key is set: running by the built-in playbook: fixed rules that quote documents and query tables, and understand nothing. Set ANTHROPIC_API_KEY, or OPENAI_BASE_URL and TROUPE_MODEL, for a model.${hint}`,
  };
}
