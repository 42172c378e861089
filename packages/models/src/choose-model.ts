import { InputError, type Log, type Model, type ModelError } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import {
  anthropicModel,
  DEFAULT_ANTHROPIC_MODEL,
  type AnthropicModelOptions,
} from "./anthropic/anthropic-model.ts";
import { withoutCredentials } from "./calls/secrets.ts";
import { withFallback } from "./calls/with-fallback.ts";
import { openaiCompatibleModel } from "./openai/openai-compatible-model.ts";

/** Settings as a process read them. Empty text counts as not set. */
export interface ModelChoice {
  readonly anthropicApiKey?: string | undefined;
  readonly anthropicBaseUrl?: string | undefined;
  readonly openaiBaseUrl?: string | undefined;
  readonly openaiApiKey?: string | undefined;
  /** With the prefix `anthropic:` or `openai:`, at that provider whatever else is set. */
  readonly model?: string | undefined;
  /** Used for calls that the model fails before its first token, after its retries; named like `model`. */
  readonly fallbackModel?: string | undefined;
  /** Another model that the process uses, named like `model`: its provider is not described as unused. */
  readonly alsoUsed?: string | undefined;
  /** 60,000 and 30,000 by default. */
  readonly firstTokenTimeoutMs?: number | undefined;
  readonly idleTimeoutMs?: number | undefined;
  /** At Anthropic only. */
  readonly effort?: AnthropicModelOptions["effort"] | undefined;
  readonly thinking?: AnthropicModelOptions["thinking"] | undefined;
  /** False where the model takes no images; true by default. */
  readonly vision?: boolean | undefined;
  /**
   * How often a call is repeated that failed before its first event; the adapter's 2 when absent.
   * 0 for an agent: its loop asks again and shows it. With a fallback model, this holds for the fallback only.
   */
  readonly maxRetries?: number;
  /** The model without a key, used if no other is set. */
  readonly embedded: Model;
  readonly clock: Clock;
  readonly log: Log;
  /** How each call went, once it has: undefined where the model answered. */
  readonly onOutcome?: (failure: ModelError | undefined) => void;
}

export interface ChosenModel {
  /** `recorded`: recorded answers of a model are replayed. */
  readonly kind: "anthropic" | "openai-compatible" | "playbook" | "recorded";
  readonly model: Model;
  /** One line for people, without secrets. */
  readonly describe: string;
}

/**
 * Which model a process runs on: Anthropic with a key, else the compatible server at the base URL,
 * else the embedded one; with a fallback model if one is set. Throws an `InputError` for a server without a model, or a
 * provider without its key or address.
 */
export function chooseModel(choice: ModelChoice): ChosenModel {
  const { fallbackModel, clock, log, onOutcome } = choice;
  if (!fallbackModel) return chooseOne(choice);
  const first = chooseOne({
    ...choice,
    // Its retries come before the fallback, and what the fallback answers is no failure.
    maxRetries: undefined,
    onOutcome: (failure) => (failure === undefined ? onOutcome?.(undefined) : undefined),
  });
  if (first.kind === "playbook") return first;
  const second = chooseOne({ ...choice, model: fallbackModel });
  return {
    kind: first.kind,
    model: withFallback(first.model, second.model, { clock, log }),
    describe: `${first.describe} Where that fails: ${second.model.id}.`,
  };
}

type Provider = Exclude<ChosenModel["kind"], "playbook" | "recorded">;

function chooseOne(
  choice: Omit<ModelChoice, "maxRetries"> & { readonly maxRetries?: number | undefined },
): ChosenModel {
  const { provider, name } = readName(choice);
  if (provider === "anthropic") return onAnthropic(choice, name);
  if (provider === "openai-compatible") return onServer(choice, name);
  const hint = choice.openaiApiKey ? " (OPENAI_API_KEY needs OPENAI_BASE_URL beside it.)" : "";
  return {
    kind: "playbook",
    model: choice.embedded,
    describe: `No model key is set: running by the built-in playbook: fixed rules that quote documents and query tables, and understand nothing. Set ANTHROPIC_API_KEY, or OPENAI_BASE_URL and TROUPE_MODEL, for a model.${hint}`,
  };
}

/** Any other prefix belongs to the name, as in `llama3.2:3b`. */
function readName({
  model = "",
  anthropicApiKey,
  openaiBaseUrl,
}: Pick<ModelChoice, "model" | "anthropicApiKey" | "openaiBaseUrl">): {
  readonly provider: Provider | undefined;
  readonly name: string;
} {
  const [all = "", provider] = /^(anthropic|openai):/.exec(model) ?? [];
  const name = model.slice(all.length);
  if (provider === "anthropic") {
    if (anthropicApiKey) return { provider, name };
    throw new InputError("input.invalid", `The model "${model}" needs ANTHROPIC_API_KEY, which is not set.`);
  }
  if (provider === "openai") {
    if (openaiBaseUrl) return { provider: "openai-compatible", name };
    throw new InputError("input.invalid", `The model "${model}" needs OPENAI_BASE_URL, which is not set.`);
  }
  if (anthropicApiKey) return { provider: "anthropic", name };
  return { provider: openaiBaseUrl ? "openai-compatible" : undefined, name };
}

type Choice = Parameters<typeof chooseOne>[0];

function onAnthropic(choice: Choice, name: string): ChosenModel {
  const { effort, thinking, openaiBaseUrl } = choice;
  const model = anthropicModel({
    apiKey: choice.anthropicApiKey ?? "",
    model: name || DEFAULT_ANTHROPIC_MODEL,
    ...(choice.anthropicBaseUrl ? { baseURL: choice.anthropicBaseUrl } : {}),
    ...(effort === undefined ? {} : { effort }),
    ...(thinking === undefined ? {} : { thinking }),
    ...callsOf(choice),
  });
  const isNamed = [choice.model, choice.fallbackModel, choice.alsoUsed].some((one) =>
    one?.startsWith("openai:"),
  );
  const ignored = openaiBaseUrl && !isNamed ? " OPENAI_BASE_URL is set too and not used." : "";
  return { kind: "anthropic", model, describe: `Running on ${model.id} at Anthropic.${ignored}` };
}

function onServer(choice: Choice, name: string): ChosenModel {
  const baseURL = choice.openaiBaseUrl ?? "";
  if (name === "") {
    throw new InputError(
      "input.invalid",
      `OPENAI_BASE_URL is set to "${withoutCredentials(baseURL)}", but no model is named. Name one that the server offers, such as "llama3.3".`,
    );
  }
  const model = openaiCompatibleModel({
    baseURL,
    ...(choice.openaiApiKey ? { apiKey: choice.openaiApiKey } : {}),
    model: name,
    ...callsOf(choice),
  });
  return {
    kind: "openai-compatible",
    model,
    describe: `Running on ${model.id} at ${withoutCredentials(baseURL)}.`,
  };
}

function callsOf({ clock, log, maxRetries, onOutcome, firstTokenTimeoutMs, idleTimeoutMs, vision }: Choice) {
  return {
    clock,
    log,
    ...(maxRetries === undefined ? {} : { maxRetries }),
    ...(onOutcome === undefined ? {} : { onOutcome }),
    ...(firstTokenTimeoutMs === undefined ? {} : { firstTokenTimeoutMs }),
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    ...(vision === undefined ? {} : { vision }),
  };
}
