import { type AgentConfig, type ArtifactStore, type Log, type Middleware } from "@troupe/core";
import {
  contextCompaction,
  fileArguments,
  policy,
  skills,
  toolCallRepair,
  workflowCatalogue,
  type ListWorkflows,
  type Skill,
} from "@troupe/core/middleware";

import type { AgentSettings } from "./agent-settings.ts";

export interface AgentMiddlewareOptions {
  readonly config: Pick<AgentConfig, "policy">;
  readonly settings: AgentSettings;
  readonly artifacts: ArtifactStore;
  readonly log: Log;
  /** The agent's own, behind the rules and in front of the others. */
  readonly own?: readonly Middleware[];
  readonly workflows?: ListWorkflows;
  readonly skills?: readonly Skill[];
}

/**
 * The optional middleware of an agent as the settings have it. The master switch wins over those of
 * each; retry, budget and approval are not among them, as nothing turns these off.
 */
export function agentMiddleware(options: AgentMiddlewareOptions): readonly Middleware[] {
  const { config, settings, artifacts, log, own = [], workflows, skills: known = [] } = options;
  const rules = config.policy.length;
  if (rules > 0 && !(settings.middleware && settings.policy_middleware)) {
    log.warn("there are rules about tool calls, but the policy middleware is switched off", { rules });
  }
  if (!settings.middleware) {
    if (own.length > 0)
      log.warn("the agent's own middleware is switched off with the rest", {
        names: own.map(({ name }) => name),
      });
    return [];
  }
  return [
    ...(settings.policy_middleware ? [policy(config.policy)] : []),
    ...own,
    ...(settings.tool_call_repair_middleware ? [toolCallRepair()] : []),
    ...(settings.context_compaction_middleware
      ? [contextCompaction({ maxTokens: settings.context_tokens })]
      : []),
    ...(settings.file_arguments_middleware ? [fileArguments(artifacts)] : []),
    ...(settings.workflow_catalogue_middleware && workflows !== undefined
      ? [workflowCatalogue(workflows)]
      : []),
    ...(settings.skills_middleware && known.length > 0 ? [skills(known)] : []),
  ];
}
