import { limitsSchema, policyRuleSchema } from "@troupe/core";
import { z } from "zod";

import { jsonSetting, setting, toggle } from "./setting.ts";

const switchedBy = (env: string, fallback: boolean, description: string, ...envAliases: readonly string[]) =>
  setting(toggle.default(fallback), { env, envAliases, description });

/** What a deployment says about the loop of its agents, beside what each agent says itself. */
export const loopSettings = {
  middleware: switchedBy(
    "ENABLE_MIDDLEWARE",
    true,
    "Optional middleware of the loop; false turns all of it off, rules and an agent's own too. Retry, budget and approval stay on",
  ),
  policy_middleware: switchedBy("ENABLE_POLICY_MIDDLEWARE", true, "Rules about tool calls are kept"),
  tool_call_repair_middleware: switchedBy(
    "ENABLE_TOOL_CALL_REPAIR_MIDDLEWARE",
    true,
    "Tool calls without a result are mended before a model sees them",
  ),
  context_compaction_middleware: switchedBy(
    "ENABLE_CONTEXT_COMPACTION_MIDDLEWARE",
    true,
    "Old tool results are shortened when a conversation grows too long",
  ),
  file_arguments_middleware: switchedBy(
    "ENABLE_FILE_ARGUMENTS_MIDDLEWARE",
    false,
    "A model may hand a whole text file to a tool",
    "ENABLE_FILE_ARG_MIDDLEWARE",
  ),
  workflow_catalogue_middleware: switchedBy(
    "ENABLE_WORKFLOW_CATALOGUE_MIDDLEWARE",
    true,
    "The workflows on offer are put before the model, where an agent lists any",
    "ENABLE_SELF_SERVICE_MIDDLEWARE",
  ),
  skills_middleware: switchedBy(
    "ENABLE_SKILLS_MIDDLEWARE",
    true,
    "An agent's skills are put before its model, which may load them",
  ),
  skill_folders: setting(jsonSetting(z.array(z.string().min(1))).default([]), {
    env: "TROUPE_SKILL_FOLDERS",
    description:
      "JSON list of folders with skills, each a folder with a SKILL.md; added to those of the agent itself",
  }),
  context_tokens: setting(z.coerce.number().int().positive().default(100_000), {
    env: "TROUPE_CONTEXT_TOKENS",
    description: "Estimated tokens of a conversation above which old tool results are shortened",
  }),
  approve: setting(jsonSetting(z.array(z.string().min(1))).default([]), {
    env: "TROUPE_APPROVE",
    description:
      'JSON list of tools a person decides about before they run, ["*"] for all; added to the agent\'s own',
  }),
  policy: setting(jsonSetting(z.array(policyRuleSchema)).default([]), {
    env: "TROUPE_POLICY",
    description: "JSON list of rules about tool calls; they come before the agent's own",
  }),
  limits: setting(jsonSetting(z.strictObject(limitsSchema.shape)).default({}), {
    env: "TROUPE_LIMITS",
    description:
      'JSON object of limits for each run, such as {"maxTotalTokens":200000}; narrows the agent\'s own',
  }),
};
