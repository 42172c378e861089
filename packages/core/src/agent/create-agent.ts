import type { Clock } from "@troupe/stream";

import { randomId } from "../adapters/new-id.ts";
import { systemClock } from "../adapters/system-clock.ts";
import { parseAgentConfig, type AgentConfig, type AgentConfigInput } from "../config/agent-config.ts";
import { unpricedModel } from "../config/prices.ts";
import { AgentError } from "../errors/agent-error.ts";
import type { FinishRule, StopRule } from "../loop/agent-state.ts";
import { runLoop } from "../loop/run-loop.ts";
import type { LoopOptions } from "../loop/run.ts";
import { agentHooks } from "../middleware/always-on.ts";
import type { Middleware } from "../middleware/middleware.ts";
import type { RunnableAgent } from "../ports/agent.ts";
import type { AnswerCheck } from "../ports/answer-check.ts";
import { silentLog, type Log } from "../ports/log.ts";
import type { Model } from "../ports/model.ts";
import type { ReadArtifact, ReadImage } from "../ports/read-artifact.ts";
import type { KeepsWaiting, SuspendedRuns } from "../ports/suspended-runs.ts";
import type { OverviewRequest, Tool, ToolSource } from "../ports/tool.ts";
import { memorySuspendedRuns } from "../suspend/memory-suspended-runs.ts";
import { suggestNames } from "../text/nearest-names.ts";
import { listSources } from "../tools/list-sources.ts";
import { readOverviews } from "../tools/read-overviews.ts";
import {
  FINISH_TOOL,
  ToolRegistry,
  type ToolGroup,
  type ToolRegistryOptions,
} from "../tools/tool-registry.ts";

/** An agent that runs in this process. */
export interface Agent extends RunnableAgent, KeepsWaiting {
  readonly config: AgentConfig;
  /** Its built-in tools; those of its sources are listed at every run. */
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
}

export interface AgentDeps {
  readonly model: Model;
  /** Built-in tools; `config.tools` picks among them. */
  readonly tools?: readonly Tool[];
  readonly toolSources?: readonly ToolSource[];
  /** Reads files that steps before left, where what they found is handed over in part. */
  readonly readArtifact?: ReadArtifact;
  /** Reads the images that a person hands in and tools return, such as `readStoredImage`; without it a model does not see them. */
  readonly readImage?: ReadImage;
  readonly clock?: Clock;
  readonly newId?: () => string;
  readonly log?: Log;
  /** Compares answers with the evidence of their run, unless `answer_check` is `off`. */
  readonly answerCheck?: AnswerCheck;
  /** Asked after every round without an answer; true ends the run as partial. */
  readonly stopRule?: StopRule;
  readonly finishRule?: FinishRule;
  /** Beside retry, budget and approval, which every agent has; in this order. */
  readonly middleware?: readonly Middleware[];
  /** Where runs are kept that wait for a person; when absent, with the tasks where a server keeps these, else in memory. */
  readonly suspended?: SuspendedRuns;
}

/**
 * Makes an agent of its configuration. Throws an `AgentError` (`agent.config`) when the
 * configuration cannot be used and a `ToolError` (`tool.duplicate`) when two tools have one name.
 */
export function createAgent(input: AgentConfigInput, deps: AgentDeps): Agent {
  const config = parseAgentConfig(input);
  const brought = (deps.middleware ?? []).flatMap((one) => one.tools ?? []);
  const tools = [...pickTools(config, deps.tools ?? []), ...brought];
  const log = (deps.log ?? silentLog).child({ agent: config.name });
  let suspended = deps.suspended ?? memorySuspendedRuns();
  const options: Omit<LoopOptions, "suspended"> = {
    config,
    model: deps.model,
    openTools: toolOpener(tools, deps.toolSources ?? [], deps.clock ?? systemClock, log),
    clock: deps.clock ?? systemClock,
    newId: deps.newId ?? randomId,
    log,
    hooks: agentHooks(config, deps.model, deps.middleware ?? []),
    ...(deps.readArtifact === undefined ? {} : { readArtifact: deps.readArtifact }),
    ...(deps.readImage === undefined ? {} : { readImage: deps.readImage }),
    ...(deps.answerCheck === undefined || config.answer_check === "off"
      ? {}
      : { answerCheck: deps.answerCheck }),
    ...(deps.stopRule === undefined ? {} : { stopRule: deps.stopRule }),
    ...(deps.finishRule === undefined ? {} : { finishRule: deps.finishRule }),
  };
  const sources = deps.toolSources ?? [];
  const overview = (request: OverviewRequest, signal: AbortSignal): Promise<string | undefined> =>
    readOverviews(sources, request, { signal, clock: options.clock, log });
  const { name, title, description, version, skills } = config;
  const unpriced = unpricedModel(deps.model, config.prices);
  return {
    profile: {
      name,
      title,
      description,
      version,
      skills,
      ...(config.mcp_servers.length === 0
        ? {}
        : { mcpServers: config.mcp_servers.map((server) => server.name) }),
      ...(Object.keys(config.metadata).length === 0 ? {} : { metadata: config.metadata }),
    },
    ...(unpriced === undefined ? {} : { unpriced }),
    config,
    tools,
    systemPrompt: config.system_prompt,
    overview: ({ collectionId = config.collection, userId }, { signal }) =>
      overview(
        {
          ...(collectionId === undefined ? {} : { collectionId }),
          ...(userId === undefined ? {} : { userId }),
        },
        signal,
      ),
    run: (request, { signal, workflows }) => {
      const { trace } = request;
      const traced = trace === undefined ? log : log.child({ traceId: trace.traceId });
      return runLoop(request, {
        ...options,
        overview,
        suspended,
        log: traced,
        signal,
        ...(workflows === undefined ? {} : { workflows }),
      });
    },
    cancel: async (runId) => void (await suspended.forget(runId)),
    keepWaiting: (runs) => {
      if (deps.suspended === undefined) suspended = runs;
    },
  };
}

function pickTools(config: AgentConfig, offered: readonly Tool[]): readonly Tool[] {
  const wanted = config.tools.filter((name) => name !== FINISH_TOOL);
  if (config.tools.length === 0) return offered;
  const byName = new Map(offered.map((tool) => [tool.definition.name, tool]));
  return wanted.map((name) => {
    const tool = byName.get(name);
    if (tool !== undefined) return tool;
    throw new AgentError(
      "agent.config",
      `Agent "${config.name}" lists the tool "${name}", which is not among those built in.${suggestNames(name, [...byName.keys()])}`,
    );
  });
}

/** The built-in registry is made once; one with sources per run, so that a source may come back. */
function toolOpener(
  tools: readonly Tool[],
  sources: readonly ToolSource[],
  clock: Clock,
  log: Log,
): LoopOptions["openTools"] {
  const own = { from: "the agent itself", tools };
  const builtIn = new ToolRegistry([own]);
  return (allowed, signal, more) => {
    if (sources.length > 0) {
      return listSources(sources, { signal, clock, log }).then(({ groups, unavailable }) =>
        registryOf([own, ...groups], { allowed, unavailable, more }),
      );
    }
    return allowed.length === 0 && more.length === 0 ? builtIn : registryOf([own], { allowed, more });
  };
}

/** What the loop adds gives way to a tool of the agent that has its name. */
function registryOf(
  groups: readonly ToolGroup[],
  {
    more,
    allowed,
    ...options
  }: ToolRegistryOptions & { readonly allowed: readonly string[]; readonly more: readonly Tool[] },
): ToolRegistry {
  const taken = new Set(groups.flatMap(({ tools }) => tools.map(({ definition }) => definition.name)));
  const added = more.filter(({ definition }) => !taken.has(definition.name));
  const names = allowed.length === 0 ? [] : [...allowed, ...added.map(({ definition }) => definition.name)];
  return new ToolRegistry([...groups, { from: "the loop", tools: added }], { ...options, allowed: names });
}
