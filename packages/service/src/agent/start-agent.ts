import {
  createAgent,
  narrowLimits,
  parseAgentConfig,
  systemClock,
  type AgentConfig,
  type AgentConfigInput,
  type AgentState,
  type AnswerEvidence,
  type FinishRule,
  type Log,
  type Middleware,
  type ModelUsage,
  type RunnableAgent,
  type Tool,
  type ToolSource,
} from "@troupe/core";
import type { ListWorkflows } from "@troupe/core/middleware";
import { guardedFetch } from "@troupe/core/node";
import { serveAgent } from "@troupe/a2a/server";
import { answerCheck } from "@troupe/checks";
import { createMcpPool } from "@troupe/mcp";
import { chooseModel, type ChosenModel } from "@troupe/models";
import { playbookModel, type Playbook } from "@troupe/playbook";
import type { SentenceCheck } from "@troupe/stream";

import { newId } from "../adapters/new-id.ts";
import type { Running } from "../adapters/run-main.ts";
import { openProcessAuth } from "../auth/open-process-auth.ts";
import { withTokens } from "../auth/mcp-credentials.ts";
import { homeArtifacts } from "../artifacts/home-artifacts.ts";
import { requireLoopback } from "../config/bind-guard.ts";
import { modelChoice } from "../config/model-choice.ts";
import { withRecording } from "../config/with-recording.ts";
import { createModelHealth } from "../health/model-health.ts";
import { makeHome } from "../home/make-home.ts";
import { createMetrics } from "../metrics/create-metrics.ts";
import { metricsHandler } from "../metrics/metrics-handler.ts";
import { readSkills } from "../skills/read-skills.ts";
import { agentMiddleware } from "./agent-middleware.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { openTasks } from "./open-tasks.ts";
import { artifactReader, imageReader } from "./read-artifact.ts";
import { serveOptions } from "./serve-options.ts";
import { withWorkflows } from "./with-workflows.ts";

export interface AdaptOptions {
  /**
   * The second step of `AnswerCheck`, for what the agent makes beside its answer, such as slides. Absent where no model
   * is set, or `answer_check` is set to `rules` or `off`.
   */
  readonly review?: ReviewSentences;
}

/** Has the model of the agent review sentences that cite passages, see `AnswerCheck.review`. */
export type ReviewSentences = (
  checks: readonly SentenceCheck[],
  evidence: AnswerEvidence,
  options: { readonly signal: AbortSignal },
) => Promise<{ readonly checks: readonly SentenceCheck[]; readonly usage: readonly ModelUsage[] }>;

/** Everything that makes one agent different from another. */
export interface AgentDefinition {
  readonly config: AgentConfigInput;
  /** Its rules when no model is configured; those of `@troupe/playbook` when absent. */
  readonly playbook?: Playbook;
  /** Built-in tools, beside those of its MCP servers. */
  readonly tools?: readonly Tool[];
  /** Wraps the tools of one of its MCP servers. */
  readonly adapt?: (source: ToolSource, options: AdaptOptions) => ToolSource;
  /** Which requests are answered with a message instead of a task; none when absent. */
  readonly repliesWith?: NonNullable<RunnableAgent["repliesWith"]>;
  readonly stopRule?: (state: AgentState) => boolean;
  /** Sends an answer back while work is left to do, see `FinishRule` of core. */
  readonly finishRule?: FinishRule;
  /** Middleware of its own; `ENABLE_MIDDLEWARE=false` turns it off with the rest. */
  readonly middleware?: readonly Middleware[];
  /** The workflows its model may point people at. */
  readonly workflows?: ListWorkflows;
  /** Folders with skills, beside those of the setting `skill_folders`. */
  readonly skillFolders?: readonly string[];
}

/**
 * Runs one agent as an A2A server: its model, its MCP servers, its files. Addresses of MCP servers
 * come from the settings first, from the definition otherwise.
 */
export async function startAgent(
  definition: AgentDefinition,
  settings: AgentSettings,
  tools: { readonly log: Log },
): Promise<Running> {
  const { log } = tools;
  let url = "";
  let listensAt: readonly string[] = [];
  const auth = openProcessAuth(settings, { addresses: () => listensAt, log });
  if (auth === undefined) requireLoopback(settings.host);
  makeHome(settings.home);
  const files = homeArtifacts({
    home: settings.home,
    baseUrl: () => url,
    log,
    authenticated: auth !== undefined,
  });
  const artifacts = files.store;
  const useSkills = settings.middleware && settings.skills_middleware;
  const skills = useSkills
    ? await readSkills([...(definition.skillFolders ?? []), ...settings.skill_folders], log)
    : [];
  const config = deployed(parseAgentConfig(definition.config), settings);
  const servers = config.mcp_servers.map((server) => {
    const address = settings.mcp_servers[server.name];
    if (address === undefined) return server;
    return {
      name: server.name,
      url: address,
      ...(server.tools === undefined ? {} : { tools: server.tools }),
    };
  });
  const pool = createMcpPool(withTokens(servers, settings), { clock: systemClock, log, artifacts });
  const health = createModelHealth(systemClock);
  const chosen = withRecording(
    chooseModel({
      onOutcome: (failure) => health.onOutcome(failure),
      ...modelChoice(settings),
      model: settings.model ?? config.model,
      maxRetries: 0,
      embedded: playbookModel(definition.playbook),
      clock: systemClock,
      log,
    }),
    settings,
    { agent: config.name, log },
  );
  log.info(chosen.describe);
  const sources = servers.map((server) => {
    const source = pool.source(server.name);
    return definition.adapt ? definition.adapt(source, adaptOptions(settings, chosen)) : source;
  });
  const tasks = await orElse(
    () => pool.close(),
    () => openTasks({ home: settings.home, name: config.name, url: settings.tasks_url, log }),
  );
  const release = async (): Promise<void> => {
    await tasks.close();
    await pool.close();
  };
  const own = await orElse(release, () =>
    createAgent(
      { ...config, mcp_servers: servers },
      {
        model: chosen.model,
        answerCheck,
        tools: definition.tools ?? [],
        toolSources: sources,
        clock: systemClock,
        newId,
        log,
        suspended: tasks.suspended(),
        readArtifact: artifactReader(artifacts, { allowedOrigins: settings.allowed_origins }),
        readImage: imageReader(artifacts, { allowedOrigins: settings.allowed_origins }),
        middleware: agentMiddleware({
          config,
          settings,
          artifacts,
          log,
          skills,
          ...(definition.middleware === undefined ? {} : { own: definition.middleware }),
          ...(definition.workflows === undefined ? {} : { workflows: definition.workflows }),
        }),
        ...(definition.stopRule === undefined ? {} : { stopRule: definition.stopRule }),
        ...(definition.finishRule === undefined ? {} : { finishRule: definition.finishRule }),
      },
    ),
  );
  const { orchestrator_url, allowed_origins } = settings;
  const agent =
    orchestrator_url === undefined
      ? own
      : withWorkflows(own, orchestrator_url, {
          fetch: guardedFetch({ allow: [orchestrator_url, ...allowed_origins] }),
          clock: systemClock,
          newId,
          log,
        });
  const metrics = createMetrics();
  const served = await orElse(release, async () =>
    serveAgent({
      agent:
        definition.repliesWith === undefined
          ? agent
          : Object.assign(agent, { repliesWith: definition.repliesWith }),
      store: tasks.store,
      ...(await serveOptions(settings, { auth, agent: config.name })),
      clock: systemClock,
      newId,
      log,
      metrics,
      // Without its model or its tools an agent can do nothing of what its card says.
      ready: async () => {
        const [model, tools] = await Promise.all([health.unanswered(chosen.model), pool.unanswered()]);
        return { model, tools };
      },
      files: artifacts,
      openRoutes: files.openRoutes,
      takesTime: files.takesTime,
      routes: (app) => {
        files.routes(app);
        app.use(metricsHandler(metrics));
      },
    }),
  );
  listensAt = [served.url];
  url = settings.public_url ?? served.url;
  return {
    url: served.url,
    async close() {
      try {
        await served.close();
      } finally {
        await release();
      }
    },
  };
}

function adaptOptions({ answer_check }: AgentSettings, { kind, model }: ChosenModel): AdaptOptions {
  if (kind === "playbook" || answer_check === "rules" || answer_check === "off") return {};
  return {
    review: async (checks, evidence, options) => {
      const found = await answerCheck.review(checks, evidence, { ...options, model });
      return { checks: found.checks, usage: found.usage.map((usage) => ({ model: model.id, usage })) };
    },
  };
}

/** The agent's configuration with what the deployment says: it adds to safety and never takes from it. */
function deployed(config: AgentConfig, settings: AgentSettings): AgentConfig {
  return {
    ...config,
    response_mode: settings.response_mode ?? config.response_mode,
    answer_check: settings.answer_check ?? config.answer_check,
    approve: [...config.approve, ...settings.approve],
    policy: [...settings.policy, ...config.policy],
    limits: narrowLimits(config.limits, settings.limits),
    prices: { ...config.prices, ...settings.prices },
  };
}

/** What was opened before is let go of when the next thing cannot be. */
async function orElse<T>(release: () => Promise<void>, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await release();
    throw error;
  }
}
