import type { ModelChoice } from "@troupe/models";
import type { z } from "zod";

import type { modelSettings } from "./process-settings.ts";

type Named =
  | "anthropicApiKey"
  | "anthropicBaseUrl"
  | "openaiBaseUrl"
  | "openaiApiKey"
  | "model"
  | "fallbackModel"
  | "firstTokenTimeoutMs"
  | "idleTimeoutMs"
  | "effort"
  | "thinking"
  | "vision";

/** Which model the settings name, for `chooseModel`. */
export function modelChoice(settings: z.output<z.ZodObject<typeof modelSettings>>): Pick<ModelChoice, Named> {
  return {
    anthropicApiKey: settings.anthropic_api_key,
    anthropicBaseUrl: settings.anthropic_base_url,
    openaiBaseUrl: settings.openai_base_url,
    openaiApiKey: settings.openai_api_key,
    model: settings.model,
    fallbackModel: settings.fallback_model,
    firstTokenTimeoutMs: settings.first_token_timeout_seconds * 1_000,
    idleTimeoutMs: settings.idle_timeout_seconds * 1_000,
    effort: settings.effort,
    thinking: settings.thinking,
    vision: settings.vision,
  };
}
