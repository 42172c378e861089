import {
  authSettings,
  jsonSetting,
  modelSettings,
  portSetting,
  processSettings,
  servedSettings,
  setting,
  toggle,
} from "@troupe/service";
import { MAX_REPLANS } from "@troupe/workflow";
import { z } from "zod";

import { agentCallsSetting } from "./agent-calls.ts";
import { redactSetting } from "./redact-setting.ts";
import { engineRules, engineSettings } from "./engine-settings.ts";

const alone = z.object({
  ...processSettings,
  ...modelSettings,
  planner_model: setting(z.string().min(1).optional(), {
    env: "TROUPE_PLANNER_MODEL",
    description: "Model that plans; the model that writes answers from several steps when not set",
  }),
  port: portSetting(8100),
  ...servedSettings,
  agents: setting(
    jsonSetting(z.array(z.url())).default([
      "http://127.0.0.1:8101",
      "http://127.0.0.1:8102",
      "http://127.0.0.1:8103",
    ]),
    { env: "TROUPE_AGENTS", description: "JSON list of the agents' addresses" },
  ),
  agent_calls: agentCallsSetting,
  questions_expire_seconds: setting(z.coerce.number().positive().max(31_536_000).optional(), {
    env: "TROUPE_QUESTIONS_EXPIRE_SECONDS",
    description:
      "How long people may answer what runs ask, where a workflow says nothing of it; for ever when not set",
  }),
  approve_plans: setting(toggle.default(false), {
    env: "TROUPE_APPROVE_PLANS",
    description: "Plans that are made wait for a person's word before anything of them runs",
  }),
  max_replans: setting(z.coerce.number().int().min(0).max(MAX_REPLANS).default(MAX_REPLANS), {
    env: "TROUPE_MAX_REPLANS",
    description:
      "How often the model that writes the answer of a planned run may add steps to it; 0 turns that off",
  }),
  step_timeout_seconds: setting(z.coerce.number().positive().max(86_400).default(300), {
    env: "TROUPE_STEP_TIMEOUT_SECONDS",
    description: "Timeout of one attempt of a step whose workflow sets no timeout_seconds",
  }),
  redact: redactSetting,
  runs_keep_days: setting(z.coerce.number().positive().max(36_500).default(90), {
    env: "TROUPE_RUNS_KEEP_DAYS",
    description: "How long runs that have ended are kept, with their events",
  }),
  runs_keep_mb: setting(z.coerce.number().positive().default(4_096), {
    env: "TROUPE_RUNS_KEEP_MB",
    description:
      "How large the file of runs may grow, in MB (10^6 bytes), before the oldest that have ended go",
  }),
  issuer: setting(z.url().optional(), {
    env: "TROUPE_ISSUER",
    description:
      "Address that agents know the tokens of this process by; the one it is reached at when not set",
  }),
  ...engineSettings,
  ...authSettings,
});

/** Settings of the orchestrator's process. */
export const settings = engineRules.reduce(
  (schema, { about, holds, error }) =>
    // Told along with what is wrong by itself.
    schema.refine((given) => holds(given), { path: [about], error, when: () => true }),
  alone,
);

export type OrchestratorSettings = z.output<typeof settings>;
