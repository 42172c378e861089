import {
  AgentError,
  narrowScopes,
  type AgentRequest,
  type Caller,
  type CallerOptions,
  type Log,
  type RunnableAgent,
  type TraceContext,
  type Turn,
  type WorkflowRunnerFor,
} from "@troupe/core";
import type { AgentEvent, AgentEventOf, Clock } from "@troupe/stream";

import type { AgentConnection } from "../client/connection.ts";
import { endOf, execute } from "../run/execute.ts";
import { CANCEL, STOP_GRACE_MS, type Stop } from "../run/stop.ts";
import { withinGrace } from "../run/within-grace.ts";
import { replyText } from "../wire/reply-text.ts";
import type { RemoteRequest } from "../wire/request.ts";

export interface LocalConnectionOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  /** Lets the agent start workflows in the name of its caller. */
  readonly workflowsFor?: WorkflowRunnerFor;
}

/** One run of an agent of this process, kept for whoever joins. */
interface LocalTask {
  readonly request: AgentRequest;
  readonly events: AgentEvent[];
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  // No socket is between: whoever reads takes each event as it comes.
  readonly crowded: false;
  readonly followed: false;
  stop: Stop | undefined;
  /** Calls off the end that is made for an agent which ignores its signal. */
  cancelGrace: (() => void) | undefined;
  ended: boolean;
  changed: PromiseWithResolvers<void>;
}

/** Finished tasks that can still be joined; older ones are forgotten. */
const MAX_TASKS = 200;

/**
 * An agent of this process behind the same door as a remote one: the same message is run once, a
 * task can be joined from its start, leaving does not stop it, and it always ends in a finish.
 */
export function localConnection(agent: RunnableAgent, options: LocalConnectionOptions): AgentConnection {
  const { clock, newId, log, workflowsFor } = options;
  const { name } = agent.profile;
  const tasks = new Map<string, LocalTask>();
  const byMessage = new Map<string, string>();

  const push = (task: LocalTask, event: AgentEvent): void => {
    if (task.ended) return;
    task.ended = event.type === "finish" && event.stepId === undefined;
    task.events.push(event);
    task.changed.resolve();
    task.changed = Promise.withResolvers();
    if (task.ended) task.cancelGrace?.();
  };
  const start = (request: RemoteRequest, { caller, trace }: CallerOptions): string => {
    const messageId = request.messageId ?? newId();
    const known = byMessage.get(messageId);
    if (known !== undefined) return known;
    const taskId = request.taskId ?? newId();
    const before = tasks.get(taskId);
    if (before !== undefined) assertAsks(name, taskId, before);
    const asked = agentRequest(request, {
      taskId,
      agent: name,
      history: before === undefined ? [] : turnsOf(before),
      caller,
      trace,
    });
    const controller = new AbortController();
    const task: LocalTask = {
      request: asked,
      events: [],
      controller,
      signal: controller.signal,
      crowded: false,
      followed: false,
      stop: undefined,
      cancelGrace: undefined,
      ended: false,
      changed: Promise.withResolvers(),
    };
    byMessage.set(messageId, taskId);
    tasks.delete(taskId);
    tasks.set(taskId, task);
    forget(tasks, byMessage);
    const { userId } = asked;
    const by = {
      ...(caller === undefined ? {} : { caller }),
      ...(trace === undefined ? {} : { trace }),
      ...(userId === undefined ? {} : { userId }),
    };
    void execute({
      agent,
      request: asked,
      ...(workflowsFor === undefined ? {} : { workflows: workflowsFor(by) }),
      run: task,
      sink: { push: (event) => push(task, event), ended: () => task.ended },
      log,
      yieldToLoop: () => Promise.resolve(),
    });
    return taskId;
  };

  async function* join(taskId: string, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
    const task = tasks.get(taskId);
    if (task === undefined)
      throw new AgentError("agent.task-lost", `Agent "${name}" does not know task ${taskId} (any more).`, {
        retryable: true,
      });
    const left = Promise.withResolvers<void>();
    const leave = (): void => left.resolve();
    signal.addEventListener("abort", leave, { once: true });
    try {
      for (let at = 0; at < task.events.length || !task.ended;) {
        if (signal.aborted) throw signal.reason;
        const event = task.events[at];
        if (event === undefined) await Promise.race([task.changed.promise, left.promise]);
        else {
          at++;
          yield event;
        }
      }
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  return {
    profile: agent.profile,
    async *stream(request, options) {
      const taskId = start(request, options);
      options.onTask?.(taskId);
      yield* join(taskId, options.signal);
    },
    send: async (request, options) => ({ taskId: start(request, options) }),
    join: (taskId, { signal }) => join(taskId, signal),
    async overview(collectionId, { caller, signal }) {
      const asked = {
        ...(collectionId === undefined ? {} : { collectionId }),
        ...(caller === undefined ? {} : { userId: caller.id }),
      };
      return agent.overview?.(asked, { signal });
    },
    cancel(taskId) {
      const task = tasks.get(taskId);
      if (task === undefined) return Promise.resolve();
      const at = { runId: taskId, agent: name, seq: Number.MAX_SAFE_INTEGER };
      if (endingOf(task)?.outcome === "input-required") {
        task.ended = false;
        push(task, endOf(at, CANCEL.outcome));
        return withinGrace(clock, agent.cancel?.(taskId) ?? Promise.resolve());
      }
      if (task.ended) return Promise.resolve();
      task.stop = CANCEL;
      task.controller.abort(new DOMException(CANCEL.why, "AbortError"));
      task.cancelGrace ??= clock.schedule(STOP_GRACE_MS, () => push(task, endOf(at, CANCEL.outcome)));
      return Promise.resolve();
    },
  };
}

function forget(tasks: Map<string, LocalTask>, byMessage: Map<string, string>): void {
  if (tasks.size <= MAX_TASKS) return;
  for (const [taskId, task] of tasks) {
    if (tasks.size <= MAX_TASKS) break;
    if (task.ended) tasks.delete(taskId);
  }
  for (const [messageId, taskId] of byMessage) if (!tasks.has(taskId)) byMessage.delete(messageId);
}

/** A task goes on only where it asked for something, as behind the wire. */
function assertAsks(agent: string, taskId: string, task: LocalTask): void {
  if (endingOf(task)?.outcome === "input-required") return;
  const why = task.ended ? "has ended; start another" : "still runs; wait until it asks or ends";
  throw new AgentError("agent.protocol", `Task ${taskId} of agent "${agent}" ${why}.`);
}

function endingOf(task: LocalTask): AgentEventOf<"finish"> | undefined {
  const last = task.events.at(-1);
  return task.ended && last?.type === "finish" ? last : undefined;
}

/** What was said in a task that asked: the person's words and the question. */
function turnsOf(task: LocalTask): readonly Turn[] {
  const { history, text, reply } = task.request;
  const said = text === "" && reply !== undefined ? replyText(reply) : text;
  const response = endingOf(task)?.response;
  const question = response?.metadata.question || response?.content || "";
  const asked: readonly Turn[] = question === "" ? [] : [{ role: "agent", text: question }];
  return [...history, { role: "user", text: said }, ...asked];
}

function agentRequest(
  request: RemoteRequest,
  run: {
    readonly taskId: string;
    readonly agent: string;
    readonly history: readonly Turn[];
    readonly caller: Caller | undefined;
    readonly trace: TraceContext | undefined;
  },
): AgentRequest {
  const { taskId, agent, history, caller, trace } = run;
  const { delegation, reply, contextId, metadata, responseMode } = request;
  const userId = caller?.id ?? request.userId ?? delegation?.userId;
  const collectionId = request.collectionId ?? delegation?.collectionId;
  return {
    runId: taskId,
    text: request.text ?? delegation?.instruction ?? "",
    history,
    ...(contextId === undefined ? {} : { contextId }),
    ...(userId === undefined ? {} : { userId }),
    ...(caller === undefined ? {} : { scopes: narrowScopes(caller.scopes, agent) }),
    ...(trace === undefined ? {} : { trace }),
    ...(collectionId === undefined ? {} : { collectionId }),
    ...(delegation === undefined ? {} : { delegation }),
    ...(reply === undefined ? {} : { reply }),
    ...(responseMode === undefined ? {} : { responseMode }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
