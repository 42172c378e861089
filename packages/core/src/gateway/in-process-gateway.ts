import { randomId } from "../adapters/new-id.ts";
import { AgentError } from "../errors/agent-error.ts";
import type { AgentDirectory, AgentEntry, AgentGateway, RunnableAgent } from "../ports/agent.ts";
import { suggestNames } from "../text/nearest-names.ts";
import { requestOf, RunningTask } from "./running-task.ts";

/** Ended tasks kept for re-joining; the oldest are forgotten first. */
const MAX_ENDED = 1_000;

/**
 * Agents of this process behind the ports that remote ones have. Tasks live as long as the process:
 * after its end `await` throws an `AgentError` (`agent.task-lost`).
 */
export function inProcessGateway(
  agents: readonly RunnableAgent[],
  options: { readonly newId?: () => string } = {},
): AgentGateway & AgentDirectory {
  const newId = options.newId ?? randomId;
  const byName = new Map(agents.map((agent) => [agent.profile.name, agent]));
  const tasks = new Map<string, RunningTask>();
  /** (owner, messageId) to task id: the same message is never worked on twice. */
  const messages = new Map<string, string>();

  function agentOf(name: string): RunnableAgent {
    const agent = byName.get(name);
    if (agent !== undefined) return agent;
    throw new AgentError(
      "agent.unknown",
      `There is no agent "${name}".${suggestNames(name, [...byName.keys()])}`,
    );
  }

  function taskOf(agent: string, taskId: string): RunningTask {
    const task = tasks.get(taskId);
    if (task !== undefined && task.agent === agent) return task;
    throw new AgentError(
      "agent.task-lost",
      `Agent "${agent}" does not know the task "${taskId}". Send it again.`,
      { retryable: true },
    );
  }

  function forgetOldest(): void {
    for (const [taskId, task] of tasks) {
      if (tasks.size <= MAX_ENDED) break;
      if (task.ended) tasks.delete(taskId);
    }
    for (const [message, taskId] of messages) {
      if (messages.size <= 2 * MAX_ENDED) break;
      if (!tasks.has(taskId)) messages.delete(message);
    }
  }

  const entry = (agent: RunnableAgent): AgentEntry => ({ ...agent.profile, status: "up" });

  return {
    list: () => Promise.resolve([...byName.values()].map(entry)),
    find(name) {
      const agent = byName.get(name);
      return Promise.resolve(agent === undefined ? undefined : entry(agent));
    },
    async send(name, request, { signal }) {
      signal.throwIfAborted();
      const agent = agentOf(name);
      const message = JSON.stringify([request.delegation.userId ?? "", name, request.messageId]);
      const known = messages.get(message);
      if (known !== undefined) return { taskId: known };
      const before = request.taskId === undefined ? undefined : taskOf(name, request.taskId);
      if (before !== undefined && !before.ended) {
        throw new AgentError("agent.protocol", `The task "${before.taskId}" still runs; wait for it to ask.`);
      }
      const taskId = before?.taskId ?? newId();
      messages.set(message, taskId);
      tasks.delete(taskId);
      tasks.set(taskId, new RunningTask(agent, taskId, requestOf(taskId, request, before?.history ?? [])));
      forgetOldest();
      return { taskId };
    },
    async await(name, taskId, { signal, onEvent }) {
      return taskOf(name, taskId).join(onEvent, signal);
    },
    async cancel(name, taskId) {
      taskOf(name, taskId).cancel();
    },
  };
}
