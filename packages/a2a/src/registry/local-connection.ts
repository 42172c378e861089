import { AgentError, type AgentRequest, type RunnableAgent } from "@troupe/core";
import type { AgentEvent } from "@troupe/stream";

import type { AgentConnection } from "../client/connection.ts";
import type { RemoteRequest } from "../wire/request.ts";

/** One run of an agent of this process, kept for whoever joins. */
interface LocalTask {
  readonly events: AgentEvent[];
  readonly controller: AbortController;
  ended: boolean;
  /** What the agent threw, if it did. */
  error: unknown;
  changed: PromiseWithResolvers<void>;
}

/** Finished tasks that can still be joined; older ones are forgotten. */
const MAX_TASKS = 1_000;

/**
 * An agent of this process behind the same door as a remote one: the same message is run once, a
 * task can be joined from its start, and leaving does not stop it.
 */
export function localConnection(agent: RunnableAgent, newId: () => string): AgentConnection {
  const { name } = agent.profile;
  const tasks = new Map<string, LocalTask>();
  const byMessage = new Map<string, string>();

  const run = async (task: LocalTask, request: AgentRequest): Promise<void> => {
    try {
      for await (const event of agent.run(request, { signal: task.controller.signal })) {
        task.events.push(event);
        wake(task);
      }
    } catch (error) {
      task.error = error;
    }
    task.ended = true;
    wake(task);
  };

  const start = (request: RemoteRequest): string => {
    const messageId = request.messageId ?? newId();
    const known = byMessage.get(messageId);
    if (known !== undefined) return known;
    const taskId = request.taskId ?? newId();
    const task: LocalTask = {
      events: [],
      controller: new AbortController(),
      ended: false,
      error: undefined,
      changed: Promise.withResolvers(),
    };
    byMessage.set(messageId, taskId);
    tasks.delete(taskId);
    tasks.set(taskId, task);
    forget(tasks, byMessage);
    void run(task, agentRequest(request, taskId));
    return taskId;
  };

  async function* join(taskId: string, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const task = tasks.get(taskId);
    if (task === undefined)
      throw new AgentError("agent.task-lost", `Agent "${name}" does not know task ${taskId} (any more).`);
    const left = Promise.withResolvers<never>();
    const leave = (): void => left.reject(signal.reason);
    left.promise.catch(() => undefined);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    try {
      for (let at = 0; ; at++) {
        while (at >= task.events.length && !task.ended)
          await Promise.race([task.changed.promise, left.promise]);
        const event = task.events[at];
        if (event === undefined) break;
        yield event;
      }
    } finally {
      signal.removeEventListener("abort", leave);
    }
    if (task.error !== undefined) throw task.error;
  }

  return {
    profile: agent.profile,
    stream: (request, { signal }) => join(start(request), signal),
    send: (request) => Promise.resolve({ taskId: start(request) }),
    join: (taskId, { signal }) => join(taskId, signal),
    cancel(taskId) {
      tasks.get(taskId)?.controller.abort(new DOMException("The task was canceled.", "AbortError"));
      return Promise.resolve();
    },
  };
}

function wake(task: LocalTask): void {
  task.changed.resolve();
  task.changed = Promise.withResolvers();
}

function forget(tasks: Map<string, LocalTask>, byMessage: Map<string, string>): void {
  if (tasks.size <= MAX_TASKS) return;
  for (const [taskId, task] of tasks) {
    if (tasks.size <= MAX_TASKS) break;
    if (task.ended) tasks.delete(taskId);
  }
  for (const [messageId, taskId] of byMessage) if (!tasks.has(taskId)) byMessage.delete(messageId);
}

function agentRequest(request: RemoteRequest, taskId: string): AgentRequest {
  const { delegation, reply, contextId, metadata } = request;
  const userId = request.userId ?? delegation?.userId;
  const collectionId = request.collectionId ?? delegation?.collectionId;
  return {
    runId: request.runId ?? taskId,
    text: request.text ?? delegation?.instruction ?? "",
    history: [],
    ...(contextId === undefined ? {} : { contextId }),
    ...(userId === undefined ? {} : { userId }),
    ...(collectionId === undefined ? {} : { collectionId }),
    ...(delegation === undefined ? {} : { delegation }),
    ...(reply === undefined ? {} : { reply }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
