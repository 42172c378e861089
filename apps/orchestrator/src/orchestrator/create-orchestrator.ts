import { createA2AGateway, createRegistry, type AgentChange, type CallLimits } from "@troupe/a2a";
import type { CallHeaders } from "@troupe/a2a/client";
import {
  agentScope,
  callerIn,
  hasScope,
  InputError,
  narrowLimits,
  silentLog,
  systemClock,
  type AgentEntry,
  type AnswerCheck,
  type ArtifactStore,
  type Caller,
  type Limits,
  type Log,
  type Model,
  type Prices,
  type RunnableAgent,
} from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";
import { lazyGrpcClient, newId as randomId, scrub } from "@troupe/service";
import type { AgentEvent, Clock, Usage } from "@troupe/stream";
import {
  createDagDriver,
  earlierContext,
  isRevisionRequest,
  normalizeWorkflow,
  parseWorkflowValue,
  planWorkflow,
  replayRun,
  readThread,
  type DagSpec,
  type HostedEngine,
  type Redact,
  type KeepRuns,
  type RunOutcome,
  type RunView,
} from "@troupe/workflow";

import { addedSpec, mayReplan, type NormalizeAdded } from "./added-steps.ts";
import { answerRun, type AnsweringParts } from "./answer-run.ts";
import { approvalOf } from "./approval-of.ts";
import { asTurn } from "./as-turn.ts";
import { checkCosts } from "./check-costs.ts";
import { checkWorkflow } from "./check-workflow.ts";
import { servedView } from "./interruption.ts";
import { importArtifacts } from "./import-artifacts.ts";
import type { Orchestrator } from "./orchestrator.ts";
import { orchestratorAgent, type OrchestratorParts } from "./orchestrator-agent.ts";
import { whoseAnswer } from "./other-answer.ts";
import { readHoldings } from "./read-holdings.ts";
import { planPatiently, type Team } from "./plan-patiently.ts";
import { retryRun } from "./retry-run.ts";
import { runsOnRecord } from "./runs-on-record.ts";
import { requireEarlier } from "./require-earlier.ts";
import { startRun } from "./start-run.ts";
import { openRunState } from "./state.ts";
import { asTask, readTask, readTasks, threadQuery, toRunInput, toTask, type TaskInput } from "./task.ts";
import { watchRun } from "./watch-run.ts";
import { workflowRunner } from "./workflow-runner.ts";

export interface OrchestratorOptions {
  /** Agents of this process, and addresses of remote ones. */
  readonly agents: readonly (RunnableAgent | string)[];
  /** Plans and synthesizes. */
  readonly model: Model;
  /** Plans instead of `model`. */
  readonly plannerModel?: Model;
  /** Plans if the plan of the model and its one correction are invalid; without a fallback such a run fails. */
  readonly fallback?: Model;
  /** Compares answers that it writes from several steps with what they found; they are not checked without. */
  readonly answerCheck?: AnswerCheck;
  /** Whether the model reviews what the rules of that check let pass. False by default. */
  readonly answerReview?: boolean;
  /** What that model costs, for workflows with a limit in dollars. */
  readonly prices?: Prices;
  /** Folder for runs; without one they live as long as the process. One orchestrator a folder. */
  readonly home?: string;
  /**
   * Runs the workflows and knows of all runs, in place of what `home` would hold: one that several
   * orchestrators share, such as `openRestateEngine` over the events of `openPostgresEventLog`. It is
   * closed along with the orchestrator; the log of its events is not.
   */
  readonly engine?: HostedEngine;
  /** What is kept in the home folder of runs that have ended; all of them when left out. */
  readonly keepRuns?: KeepRuns;
  /** Runs of tasks that are taken up again once it is served: cut off while they were planned, they are planned anew. */
  readonly askedAgain?: ReadonlySet<string>;
  /** Bounds of the calls to each remote agent. */
  readonly calls?: CallLimits;
  /** What is known of an agent that cannot be reached, such as when its process is restarted; added to the reason. */
  readonly whyDown?: (url: string) => string | undefined;
  /** Told once of each remote agent that comes, leaves or comes back; the log has it too. */
  readonly onAgentChange?: (change: AgentChange) => void;
  readonly clock?: Clock;
  readonly newId?: () => string;
  readonly log?: Log;
  /**
   * Applied to every text an agent is sent: what was asked, what steps before found, what people answered.
   * Where it throws, the step fails and nothing is sent. `redactPatterns` of `@troupe/workflow` makes one.
   */
  readonly redact?: Redact;
  /** Takes over the files that remote agents make; without it they stay where they are. */
  readonly files?: ArtifactStore;
  /** Origins beside its own that files of an agent may lead to; its card and redirects may lead to any public address. */
  readonly allowedOrigins?: readonly string[];
  /** Timeout of one attempt of a step without `timeout_seconds`. 300,000 by default. */
  readonly stepTimeoutMs?: number;
  /** How long people may answer what a run asks, where its workflow says nothing of it; for ever when left out. */
  readonly questionsExpireMs?: number;
  /** Plans that are made for a request over A2A wait for a person's word before anything of them runs. */
  readonly approvePlans?: boolean;
  /** How often the model that writes the answer of a planned run may add steps to it, at most 2. 2 by default. */
  readonly maxReplans?: number;
  /** Headers for every call to a remote agent, such as a token in the name of whoever began the run. */
  readonly headers?: CallHeaders;
}

/** How long the absence of an agent is waited out, in planning as in a step, in milliseconds. */
const AWAY_MS = 20_000;

/** Makes an orchestrator and goes on with the runs that were cut off in its home. */
export async function createOrchestrator(options: OrchestratorOptions): Promise<Orchestrator> {
  const {
    model,
    fallback,
    clock = systemClock,
    newId = randomId,
    log = silentLog,
    allowedOrigins = [],
  } = options;
  // Runs that were cut off go on before there is an orchestrator.
  const own = Promise.withResolvers<RunnableAgent>();
  const registry = createRegistry({
    clock,
    newId,
    log,
    // Whoever configured an agent meant its address, wherever that is, and not what the agent names.
    fetchFor: (url) => guardedFetch({ allow: [url, ...allowedOrigins] }),
    grpc: lazyGrpcClient,
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    ...(options.calls === undefined ? {} : { limits: options.calls }),
    workflowsFor: (by) => workflowRunner(own.promise, newId, by),
    ...(options.whyDown === undefined ? {} : { whyDown: options.whyDown }),
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

  const state = openRunState({
    ...(options.home === undefined ? {} : { home: options.home }),
    ...(options.engine === undefined ? {} : { engine: options.engine }),
    ...(options.keepRuns === undefined ? {} : { keepRuns: options.keepRuns }),
    ...(options.askedAgain === undefined ? {} : { askedAgain: options.askedAgain }),
    clock,
    log,
  });
  const { files, questionsExpireMs, stepTimeoutMs, plannerModel = model } = options;
  const times = {
    ...(questionsExpireMs === undefined ? {} : { questionsExpireMs }),
    ...(stepTimeoutMs === undefined ? {} : { stepTimeoutMs }),
  };
  const checkPrices = (spec: DagSpec): Promise<void> =>
    checkCosts(spec, { agents: () => registry.list(), model, prices: options.prices ?? {} });
  const team = async (caller?: Caller): Promise<Team> => {
    const all = await registry.list();
    const mayUse = ({ name }: AgentEntry): boolean =>
      caller === undefined || hasScope(caller.scopes, agentScope(name));
    return { agents: all.filter(mayUse), forbidden: all.filter((agent) => !mayUse(agent)) };
  };
  const agents = async (caller?: Caller): Promise<readonly AgentEntry[]> => (await team(caller)).agents;
  const normalizeAdded: NormalizeAdded = async (workflow, { limits }) => {
    const spec = { ...normalizeWorkflow(workflow, times), ...(limits && { limits }) };
    await checkPrices(spec);
    return spec;
  };
  const awayMs = options.calls?.awayMs ?? AWAY_MS;
  const called = createA2AGateway(registry, { clock, returnMs: awayMs });
  const addressOf = async (name: string): Promise<string | undefined> => (await registry.find(name))?.url;
  const gateway = files ? importArtifacts(called, { files, addressOf, allowedOrigins, clock, log }) : called;
  await state.engine.register(
    createDagDriver({
      gateway,
      eventLog: state.log,
      clock,
      log,
      newId,
      model,
      ...(options.prices === undefined ? {} : { prices: options.prices }),
      ...(options.redact === undefined ? {} : { redact: options.redact }),
      ...(options.answerCheck === undefined ? {} : { answerCheck: options.answerCheck }),
      ...(options.answerReview === undefined ? {} : { answerReview: options.answerReview }),
      ...(files === undefined ? {} : { files }),
      replan: { team: (input) => team(callerIn(input)), normalize: normalizeAdded },
    }),
  );

  /** As they are while this process serves them. */
  const served = async (views: readonly RunView[]): Promise<readonly RunView[]> => {
    const open = views.filter((view) => view.outcome === undefined).map((view) => view.runId);
    const stuck = open.length === 0 ? new Map<string, unknown>() : await state.engine.stuck(open);
    return views.map((view) => servedView(view, stuck.get(view.runId)));
  };

  const prepare: OrchestratorParts["prepare"] = async (workflow, description, { signal, mode } = {}) => {
    const parsed = parseWorkflowValue(workflow, {
      ...nameFor(description),
      ...(mode === undefined ? {} : { mode }),
    });
    await checkWorkflow(parsed, registry, signal ?? new AbortController().signal);
    await checkPrices(normalizeWorkflow(parsed, times));
    return parsed;
  };

  const begin: OrchestratorParts["begin"] = async (task, workflow, runId, by) => {
    const spec = withLimits(normalizeWorkflow(workflow, times), by?.limits);
    if (by?.limits !== undefined) await checkPrices(spec);
    const earlier = earlierContext(spec, by?.thread ?? []);
    const asked = asTask(task);
    const { task_id, collection_id, description } = asked;
    const approval = by?.approve === true ? { approval: approvalOf(workflow, questionsExpireMs) } : {};
    const start = { runId, spec, chosen: task_id !== undefined, inherits: collection_id === undefined };
    const record = { ...threadQuery(asked, by ?? {}), runId, objective: description };
    await asTurn(state, record, async (number) => {
      const input = { ...toRunInput(asked, { ...by, ...number }, earlier), ...approval };
      await startRun(state, { ...start, input }, clock);
    });
  };

  const threadOf: OrchestratorParts["thread"] = async (query) =>
    query === undefined ? {} : readThread(state, query);

  const plan: OrchestratorParts["plan"] = async (
    task,
    thread,
    { signal, caller, unreadFiles = [], images = [], onUsage, onWait },
  ) => {
    const { description, collection_id } = readTask(task);
    await registry.started(signal);
    const usage =
      onUsage === undefined
        ? {}
        : { onUsage: (used: Usage) => onUsage({ model: plannerModel.id, usage: used }) };
    const planned = await planPatiently(
      async (current) =>
        planWorkflow({
          task: description,
          ...current,
          holds: await readHoldings(registry, current.agents, {
            collectionId: collection_id,
            caller,
            clock,
            signal,
          }),
          model: plannerModel,
          ...(fallback === undefined ? {} : { fallback }),
          thread,
          unreadFiles,
          images,
          now: clock.now(),
          signal,
          ...usage,
        }),
      { team: () => team(caller), onWait, patienceMs: awayMs, clock, log, signal },
    );
    if (planned.by === "fallback") {
      const { reason = "" } = planned;
      log.warn("the model wrote no plan that can be run", { model: plannerModel.id, reason });
      onWait?.(
        `The model "${plannerModel.id}" wrote no plan that can be run, also after one correction; the plan is by fixed rules.`,
      );
    }
    return mayReplan(planned.workflow, options.maxReplans);
  };

  const execute: Orchestrator["executeWorkflow"] = async (task, workflow, mode, options = {}) => {
    const { signal, onEvent, ...by } = options;
    const asked = readTask(task);
    const ready = await prepare(workflow, asked.description, {
      ...(signal === undefined ? {} : { signal }),
      ...(mode === undefined ? {} : { mode }),
    });
    const runId = asked.task_id ?? newId();
    await begin(asked, ready, runId, { ...by, ...(await threadOf(threadQuery(asked, by, runId))) });
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

  const runAll = async (
    task: TaskInput,
    agents: readonly string[],
    mode: "sequential" | "parallel",
    instructions?: readonly string[],
  ): Promise<RunOutcome> => {
    const { description } = readTask(task);
    const steps = agents.map((agent, index) => ({
      id: agents.indexOf(agent) === index ? agent : `${agent}-${index + 1}`,
      agent,
      instruction: instructions?.[index] ?? description,
    }));
    return execute(task, steps, mode);
  };

  const runParallel: Orchestrator["runParallel"] = async (first, second) => {
    if (!isList(first)) return runAll(first, second, "parallel");
    const tasks = readTasks(first, second);
    return runAll(tasks.join("\n"), first, "parallel", tasks);
  };

  const locate: OrchestratorParts["locate"] = async (file, owner) => ({
    ...file,
    ...(await files?.get(file.id, owner))?.ref,
  });
  const { engine, log: events } = state;
  const recorded = runsOnRecord({ events, recorded: (runId) => engine.recorded(runId) }, served, locate);
  /** Checks a plan, or steps to add to it, that are handed in for those that were asked about. */
  const specOf: AnsweringParts["specOf"] = async (workflow, view, requestId) => {
    const asked = await state.engine.recorded(view.runId);
    const spec = isRevisionRequest(requestId)
      ? await addedSpec(workflow, view, { team, normalize: normalizeAdded, asked })
      : normalizeWorkflow(await prepare(workflow, ""), times);
    requireEarlier(spec, asked?.input);
    return spec;
  };
  const answering = { state, clock, specOf };

  const orchestrator: Orchestrator = {
    ...recorded,
    agent: orchestratorAgent({
      thread: threadOf,
      plan,
      approvePlans: options.approvePlans ?? false,
      prepare,
      begin,
      answer: (runId, reply, source) => orchestrator.answer(runId, reply, source),
      retry: (runId, options) =>
        retryRun(state, runId, {
          ...options,
          clock,
          checkPrices,
          locate: (file) => locate(file, options.caller?.id ?? ""),
        }),
      locate,
      state,
      log,
    }),
    register,
    agents,
    async planWorkflow(task, { signal = new AbortController().signal, ...by } = {}) {
      const { thread = [] } = await threadOf(threadQuery(readTask(task), by));
      return plan(task, thread, { signal, ...by });
    },
    executeWorkflow: execute,
    runSequential: (task, agents) => runAll(task, agents, "sequential"),
    runParallel,
    result: (runId, options) => engine.result(runId, options),
    watch: (runId, { caller, ...options } = {}) =>
      watchRun(state, runId, (file) => locate(file, caller?.id ?? ""), options),
    replay: (exported) => replayRun(exported, (text) => scrub(text)),
    resume: (runId) => engine.resume(runId),
    async retry(runId, { task_id, caller, from } = {}) {
      const newRunId = task_id ?? newId();
      await retryRun(state, runId, {
        newRunId,
        chosen: task_id !== undefined,
        clock,
        checkPrices,
        locate: (file) => locate(file, caller?.id ?? ""),
        ...(from === undefined ? {} : { from }),
        ...(caller === undefined ? {} : { caller }),
      });
      return { runId: newRunId };
    },
    async task(taskId) {
      const view = await state.log.view(taskId);
      return view && toTask(view, await state.engine.input(taskId));
    },
    answer: (runId, reply, source) => answerRun(answering, runId, reply, source),
    answered: (runId, requestId) => whoseAnswer(state, runId, requestId),
    cancel: (runId, reason) => state.engine.cancel(runId, reason),
    async close() {
      await state.close();
      registry.close();
    },
  };
  own.resolve(orchestrator.agent);
  return orchestrator;
}

/** What all steps together may use is narrowed; whatever else is limited holds for each step anyway. */
function withLimits(spec: DagSpec, { maxTotalTokens, maxCostUsd }: Limits = {}): DagSpec {
  const limits = narrowLimits(spec.limits ?? {}, {
    ...(maxTotalTokens === undefined ? {} : { maxTotalTokens }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
  });
  return Object.keys(limits).length === 0 ? spec : { ...spec, limits };
}

/** Name of a workflow that is handed in as a plain list of steps. */
function nameFor(description: string): { readonly name?: string } {
  const name = description.trim().slice(0, 200);
  return name === "" ? {} : { name };
}

const isList = (value: TaskInput | readonly string[]): value is readonly string[] => Array.isArray(value);

function onAbort(signal: AbortSignal | undefined, fn: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) fn();
  else signal.addEventListener("abort", fn, { once: true });
  return () => signal.removeEventListener("abort", fn);
}
