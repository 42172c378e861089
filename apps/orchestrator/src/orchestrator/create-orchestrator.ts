import { createHash } from "node:crypto";

import { createA2AGateway, createRegistry, type AgentChange, type CallLimits } from "@troupe/a2a";
import type { CallHeaders } from "@troupe/a2a/client";
import {
  agentScope,
  hasScope,
  InputError,
  silentLog,
  systemClock,
  type AgentEntry,
  type ArtifactStore,
  type Caller,
  type Log,
  type Model,
  type RunnableAgent,
} from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";
import { newId as randomId } from "@troupe/service";
import type { AgentEvent, Clock } from "@troupe/stream";
import {
  answerSignal,
  checkReply,
  createDagDriver,
  normalizeWorkflow,
  planWorkflow,
  workflowSchema,
  type RunOutcome,
  type RunView,
  type Workflow,
  type WorkflowInput,
} from "@troupe/workflow";

import { checkWorkflow } from "./check-workflow.ts";
import { servedView } from "./interruption.ts";
import { importArtifacts } from "./import-artifacts.ts";
import type { Orchestrator, TaskInput } from "./orchestrator.ts";
import { orchestratorAgent, type OrchestratorParts } from "./orchestrator-agent.ts";
import { openRunState } from "./state.ts";
import { asTask, readTask, toRunInput, toTask } from "./task.ts";

export interface OrchestratorOptions {
  /** Agents of this process, and addresses of remote ones. */
  readonly agents: readonly (RunnableAgent | string)[];
  /** Plans and synthesizes. */
  readonly model: Model;
  /** Folder for runs; without one they live as long as the process. One orchestrator a folder. */
  readonly home?: string;
  /** Bounds of the calls to each remote agent. */
  readonly calls?: CallLimits;
  /** Told once of each remote agent that comes, leaves or comes back; the log has it too. */
  readonly onAgentChange?: (change: AgentChange) => void;
  readonly clock?: Clock;
  readonly newId?: () => string;
  readonly log?: Log;
  /** Takes over the files that remote agents make; without it they stay where they are. */
  readonly files?: ArtifactStore;
  /**
   * Origins that agents may lead to with their cards, redirects and files, beside their own. A card or
   * a redirect may lead to any public address too, a file to these only.
   */
  readonly allowedOrigins?: readonly string[];
  /** Headers for every call to a remote agent, such as a token in the name of whoever began the run. */
  readonly headers?: CallHeaders;
}

/** Makes an orchestrator and goes on with the runs that were cut off in its home. */
export async function createOrchestrator(options: OrchestratorOptions): Promise<Orchestrator> {
  const { model, clock = systemClock, newId = randomId, log = silentLog, allowedOrigins = [] } = options;
  const registry = createRegistry({
    clock,
    newId,
    log,
    // Whoever configured an agent meant its address, wherever that is, and not what the agent names.
    fetchFor: (url) => guardedFetch({ allow: [url, ...allowedOrigins] }),
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    ...(options.calls === undefined ? {} : { limits: options.calls }),
    ...(options.onAgentChange === undefined ? {} : { onChange: options.onAgentChange }),
  });

  const register = async (agent: RunnableAgent | string): Promise<void> => {
    const known = typeof agent === "string" ? undefined : await registry.find(agent.profile.name);
    if (known) {
      throw new InputError(
        "input.invalid",
        `There is an agent "${known.name}" already. Names must be unique.`,
      );
    }
    registry.add(agent);
  };
  for (const agent of options.agents) registry.add(agent);

  const state = openRunState({ ...(options.home === undefined ? {} : { home: options.home }), clock, log });
  const { files } = options;
  const awayMs = options.calls?.awayMs;
  const called = createA2AGateway(registry, { clock, ...(awayMs === undefined ? {} : { returnMs: awayMs }) });
  const addressOf = async (name: string): Promise<string | undefined> => (await registry.find(name))?.url;
  const gateway = files ? importArtifacts(called, { files, addressOf, allowedOrigins, clock, log }) : called;
  await state.engine.register(createDagDriver({ gateway, eventLog: state.log, clock, log, newId, model }));

  const served = (view: RunView): RunView => servedView(view, state.engine.stuck(view.runId));

  const prepare = async (workflow: WorkflowInput, mode?: "sequential" | "parallel"): Promise<Workflow> => {
    const parsed = workflowSchema.safeParse(mode === undefined ? workflow : { ...workflow, mode });
    if (!parsed.success)
      throw invalid(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
    await checkWorkflow(parsed.data, registry);
    return parsed.data;
  };

  const begin: OrchestratorParts["begin"] = async (task, workflow, runId, by) => {
    await state.engine.start(normalizeWorkflow(workflow), toRunInput(asTask(task), by), { runId });
  };

  const execute: Orchestrator["executeWorkflow"] = async (task, workflow, mode, options = {}) => {
    const { signal, onEvent, caller } = options;
    const asked = readTask(task);
    const ready = await prepare(workflow, mode);
    const runId = asked.task_id ?? newId();
    await begin(asked, ready, runId, caller === undefined ? {} : { caller });
    const stop = onAbort(signal, () => {
      state.engine.cancel(runId, "canceled by the caller").catch((error: unknown) => {
        log.warn("a run was not canceled", { runId, error });
      });
    });
    const watching = new AbortController();
    const watched = onEvent ? watch(runId, onEvent, watching.signal) : Promise.resolve();
    try {
      const [outcome] = await Promise.all([state.engine.result(runId), watched]);
      return outcome;
    } finally {
      watching.abort();
      stop();
    }
  };

  const watch = async (
    runId: string,
    onEvent: (event: AgentEvent) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    for await (const { event } of state.log.read(runId, { from: 0, signal })) onEvent(event);
  };

  const each = async (
    task: TaskInput,
    agents: readonly string[],
    mode: "sequential" | "parallel",
  ): Promise<RunOutcome> => {
    const { description } = readTask(task);
    const steps = agents.map((agent, index) => ({
      id: agents.indexOf(agent) === index ? agent : `${agent}-${index + 1}`,
      agent,
      instruction: description,
    }));
    return execute(task, { version: 1, name: description.slice(0, 200) || "Run", mode, steps });
  };

  const agents = async (caller?: Caller): Promise<readonly AgentEntry[]> => {
    const all = await registry.list();
    return caller === undefined ? all : all.filter(({ name }) => hasScope(caller.scopes, agentScope(name)));
  };

  const orchestrator: Orchestrator = {
    agent: orchestratorAgent({
      plan: (task, signal, caller) =>
        orchestrator.planWorkflow(task, { signal, ...(caller === undefined ? {} : { caller }) }),
      prepare,
      begin,
      answer: (runId, reply) => orchestrator.answer(runId, reply),
      locate: async (file, owner) => ({ ...file, ...(await files?.get(file.id, owner))?.ref }),
      state,
      log,
    }),
    register,
    agents,
    async planWorkflow(task, { signal = new AbortController().signal, caller } = {}) {
      const { description } = readTask(task);
      const planned = await planWorkflow({ task: description, agents: await agents(caller), model, signal });
      return planned.workflow;
    },
    executeWorkflow: execute,
    runSequential: (task, agents) => each(task, agents, "sequential"),
    runParallel: (task, agents) => each(task, agents, "parallel"),
    runs: async (limits) => (await state.log.runs(limits)).map(served),
    async run(runId) {
      const view = await state.log.view(runId);
      return view && served(view);
    },
    async task(taskId) {
      const view = await state.log.view(taskId);
      return view && toTask(view, state.engine.input(taskId));
    },
    async answer(runId, reply) {
      const view = await state.log.view(runId);
      if (view === null || view.outcome !== undefined) return "no-run";
      const asked = view.requests.find(({ request }) => request.requestId === reply.requestId);
      if (!asked) {
        const open = view.requests.map(({ request }) => `"${request.requestId}"`).join(", ");
        throw invalid([
          `Run "${runId}" does not ask "${reply.requestId}", or no more. It asks: ${open === "" ? "nothing" : open}.`,
        ]);
      }
      const checked = checkReply(asked.request, reply);
      if (!checked.ok) throw invalid(checked.issues);
      return state.engine.signal(runId, answerSignal(reply.requestId), checked.reply, {
        // The same answer again is taken for one; another answer to the same is a duplicate.
        idempotencyKey: createHash("sha256").update(JSON.stringify(checked.reply)).digest("hex"),
      });
    },
    cancel: (runId, reason) => state.engine.cancel(runId, reason),
    async close() {
      await state.close();
      registry.close();
    },
  };
  return orchestrator;
}

function invalid(issues: readonly string[]): InputError {
  return new InputError("input.invalid", issues.join("\n"), { issues });
}

function onAbort(signal: AbortSignal | undefined, fn: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) fn();
  else signal.addEventListener("abort", fn, { once: true });
  return () => signal.removeEventListener("abort", fn);
}
