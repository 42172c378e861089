import { AgentError, type AgentGateway, type AgentResult, type Caller, type SendRequest } from "@troupe/core";
import { NO_USAGE, type AgentEvent, type Clock } from "@troupe/stream";

/** What a scripted agent does with one message. */
export interface ScriptedTurn {
  /** Milliseconds of the clock until it ends. */
  readonly ms?: number;
  /** Until `send` takes the task, or refuses it. */
  readonly sendMs?: number;
  /** Throws from `send` instead of taking the task. */
  readonly refuse?: AgentError;
  /** Throws from `await` after `ms`: the connection is lost or the agent died. */
  readonly break?: AgentError;
  /** How it ends; `completed` with the instruction as its answer when left out. */
  readonly result?: Partial<AgentResult>;
  readonly events?: readonly AgentEvent[];
  /** The nth thing it tells, from 0: without an end, a hundred a millisecond, while it is awaited. */
  readonly tells?: (n: number) => AgentEvent;
  /** Milliseconds until its agent answers that it was told to stop. */
  readonly stopsAfterMs?: number;
  /** Runs until it is cancelled. */
  readonly never?: boolean;
}

export type AgentScript = (request: SendRequest, agent: string) => ScriptedTurn;

export interface ScriptedCall {
  readonly agent: string;
  readonly request: SendRequest;
  readonly taskId: string;
}

export interface ScriptedGateway extends AgentGateway {
  /** Work begun, in order; a message id seen before is not work begun. */
  readonly calls: readonly ScriptedCall[];
  /** In whose name `send`, `await` and `cancel` were called, in order. */
  readonly callers: readonly (Caller | undefined)[];
  /** Tasks told to stop. */
  readonly canceled: readonly string[];
  /** Tasks at work now. */
  readonly running: number;
  /** Most tasks that ran at one moment. */
  readonly peak: number;
}

interface Task {
  readonly done: Promise<AgentResult>;
  readonly events: readonly AgentEvent[];
  readonly tells: ScriptedTurn["tells"];
  readonly stopsAfterMs: number;
  stop(): void;
}

/**
 * Agents that follow a script on a clock. Like ours they know a message again, keep working when
 * nobody listens, and let a task be joined at any time.
 */
export function scriptedGateway(script: AgentScript, clock: Clock): ScriptedGateway {
  const tasks = new Map<string, Task>();
  const byMessage = new Map<string, string>();
  const calls: ScriptedCall[] = [];
  const callers: (Caller | undefined)[] = [];
  const canceled: string[] = [];
  let running = 0;
  let peak = 0;

  const begin = (agent: string, request: SendRequest, turn: ScriptedTurn): Task => {
    const end = Promise.withResolvers<AgentResult>();
    // A task nobody joins may still break; joining it later tells.
    end.promise.catch(() => undefined);
    running++;
    peak = Math.max(peak, running);
    let over = false;
    const finish = (settle: () => void): void => {
      if (over) return;
      over = true;
      running--;
      settle();
    };
    const result = { ...answerOf(agent, request), ...turn.result };
    const cancelTimer = turn.never
      ? () => undefined
      : clock.schedule(turn.ms ?? 0, () =>
          finish(() => (turn.break ? end.reject(turn.break) : end.resolve(result))),
        );
    return {
      done: end.promise,
      events: turn.events ?? [],
      tells: turn.tells,
      stopsAfterMs: turn.stopsAfterMs ?? 0,
      stop: () => {
        cancelTimer();
        finish(() => end.resolve({ ...answerOf(agent, request), answer: "", outcome: "canceled" }));
      },
    };
  };

  return {
    calls,
    callers,
    canceled,
    get running() {
      return running;
    },
    get peak() {
      return peak;
    },
    async send(agent, request, { signal, caller }) {
      callers.push(caller);
      signal.throwIfAborted();
      const known = byMessage.get(request.messageId);
      if (known !== undefined) return { taskId: known };
      const turn = script(request, agent);
      if (turn.sendMs !== undefined) await clock.sleep(turn.sendMs, signal);
      if (turn.refuse) throw turn.refuse;
      const taskId = request.taskId ?? `task-${byMessage.size + 1}`;
      byMessage.set(request.messageId, taskId);
      calls.push({ agent, request, taskId });
      tasks.set(taskId, begin(agent, request, turn));
      return { taskId };
    },
    async await(agent, taskId, { signal, onEvent, caller }) {
      callers.push(caller);
      const task = tasks.get(taskId);
      if (!task)
        throw new AgentError("agent.task-lost", `agent "${agent}" does not know the task "${taskId}"`);
      for (const event of task.events) await onEvent?.(event);
      const aborted = Promise.withResolvers<never>();
      const onAbort = (): void => aborted.reject(signal.reason as Error);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        signal.throwIfAborted();
        const ended = Promise.race([task.done, aborted.promise]);
        if (task.tells && onEvent) void tellOn(task.tells, onEvent, ended, clock);
        return await ended;
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
    async cancel(_agent, taskId, { caller } = {}) {
      callers.push(caller);
      canceled.push(taskId);
      const task = tasks.get(taskId);
      if (task && task.stopsAfterMs > 0) await clock.sleep(task.stopsAfterMs);
      task?.stop();
    },
  };
}

function answerOf(agent: string, request: SendRequest): AgentResult {
  return {
    agent,
    outcome: "completed",
    answer: request.delegation.instruction,
    data: null,
    citations: [],
    artifacts: [],
    usage: NO_USAGE,
  };
}

/** A hundred events a millisecond, until the task has ended or nobody waits for it. */
async function tellOn(
  tells: NonNullable<ScriptedTurn["tells"]>,
  onEvent: (event: AgentEvent) => void | Promise<void>,
  ended: Promise<unknown>,
  clock: Clock,
): Promise<void> {
  const state = { over: false };
  const stop = (): void => {
    state.over = true;
  };
  ended.then(stop, stop);
  for (let n = 0; !state.over; n++) {
    await onEvent(tells(n));
    if (n % 100 === 0) await clock.sleep(1);
  }
}
