import { isTroupeError, randomId, systemClock, toErrorInfo } from "@troupe/core";
import { pendingRequests, reduceTurn, type ErrorInfo } from "@troupe/stream";

import { animationFrames } from "./adapters/animation-frames.ts";
import type { AgentChat, AgentChatOptions } from "./agent-chat.ts";
import { ChatError } from "./chat-error.ts";
import { chatState, isOpen, isWaiting, type AgentChatState, type ChatTurn } from "./chat-state.ts";
import { canceled, found, saying, type TurnWork } from "./chat-turns.ts";
import type { ChatTask } from "./transport.ts";

/** How long a task may take to end once it is canceled, or to be known at all. */
const STOP_MS = 5000;
/** The agent forgot the task: joining it again would never tell more. */
const TASK_LOST = "agent.task-lost";

/**
 * A chat that reads nothing before `connect`. It does one thing at a time: it reads the thread, then
 * turns that are not told to their end, in their order, then sends what is queued.
 */
export function createAgentChat(options: AgentChatOptions): AgentChat {
  const { transport, tasks, whileRunning = "cancel", metadata } = options;
  const { clock = systemClock, frames = animationFrames, newId = randomId } = options;
  const threadId = options.threadId ?? newId();
  const thread = { threadId, ...(metadata === undefined ? {} : { metadata }) };
  const listeners = new Set<() => void>();
  const works = new Map<string, TurnWork>();
  /** Turns that are to stop, with what calls off the waiting for their end. */
  const stopping = new Map<string, () => void>();
  let turns: readonly ChatTurn[] = [];
  let queued: readonly string[] = [];
  let loading = options.threadId !== undefined && tasks === undefined && transport.tasks !== undefined;
  let loadError: ErrorInfo | undefined;
  let connected = false;
  let reading: AbortController | undefined;
  let stopFrame: (() => void) | undefined;
  let shown: AgentChatState;

  const look = (): AgentChatState => chatState({ threadId, turns, queued, loading, loadError });
  const publish = (): void => {
    stopFrame?.();
    stopFrame = undefined;
    shown = look();
    for (const listener of listeners) listener();
  };
  const find = (id: string): ChatTurn | undefined => turns.find((turn) => turn.id === id);
  const change = (id: string, part: Partial<ChatTurn>): void => {
    turns = turns.map((turn) => (turn.id === id ? { ...turn, ...part } : turn));
    stopFrame ??= frames(publish);
  };
  const add = (work: TurnWork): void => {
    works.set(work.turn.id, work);
    turns = [...turns, work.turn];
  };
  const say = (said: Pick<ChatTurn, "text" | "reply">): void =>
    add(saying(said, turns.at(-1), { ...thread, messageId: newId() }));
  const addTasks = (known: readonly ChatTask[]): void => {
    for (const task of known) add(found(task));
  };

  /** Ends the reading of a turn here, and goes on with what is next. */
  const settle = (turn: ChatTurn, part: Partial<ChatTurn>): void => {
    stopping.get(turn.id)?.();
    stopping.delete(turn.id);
    change(turn.id, part);
    // Only the last turn is ever stopped, and nothing behind it is read.
    reading?.abort();
    reading = undefined;
    next();
    publish();
  };
  const giveUp = (id: string) => (): void => {
    const turn = find(id);
    if (turn !== undefined && isOpen(turn)) settle(turn, { state: canceled(turn) });
  };
  const cancelTask = async (id: string, taskId: string): Promise<void> => {
    stopping.get(id)?.();
    try {
      await transport.cancel(taskId);
      if (stopping.has(id)) stopping.set(id, clock.schedule(STOP_MS, giveUp(id)));
    } catch (error) {
      const turn = find(id);
      // It works on, whatever the person wants: that is not to be called canceled.
      if (turn !== undefined && isOpen(turn)) settle(turn, { error: toErrorInfo(error) });
    }
  };
  const cancelRunning = (turn: ChatTurn): void => {
    if (stopping.has(turn.id)) return;
    stopping.set(turn.id, () => undefined);
    if (turn.taskId !== undefined) void cancelTask(turn.id, turn.taskId);
    else stopping.set(turn.id, clock.schedule(STOP_MS, giveUp(turn.id)));
  };
  const cancelWaiting = async (turn: ChatTurn): Promise<void> => {
    try {
      await transport.cancel(turn.taskId ?? "");
      // A reply may have set it going meanwhile: then that turn is told how it ended.
      if (turns.at(-1)?.id === turn.id) change(turn.id, { state: canceled(turn) });
    } catch (error) {
      change(turn.id, { error: toErrorInfo(error) });
    }
    publish();
  };

  async function follow(turn: ChatTurn, signal: AbortSignal): Promise<void> {
    const { id } = turn;
    const work = works.get(id);
    const onTask = (taskId: string): void => {
      if (signal.aborted) return;
      change(id, { taskId });
      if (stopping.has(id)) void cancelTask(id, taskId);
    };
    const events =
      turn.taskId === undefined && work?.request !== undefined
        ? transport.send(work.request, { signal, onTask })
        : transport.join(turn.taskId ?? "", { signal });
    // What is shown of it stays until the first of it is told again.
    let state = work?.base ?? turn.state;
    for await (const event of events) {
      if (signal.aborted) return;
      state = reduceTurn(state, event);
      change(id, { state });
      // Nothing belongs to it any more, and a transport need not end by itself.
      if (state.outcome !== undefined) return;
    }
    if (state.outcome === undefined)
      throw new ChatError("chat.cut-off", "The agent broke off before it had ended. Try again.");
  }

  async function loadThread(signal: AbortSignal): Promise<void> {
    try {
      const known = (await transport.tasks?.(threadId, { signal })) ?? [];
      if (!signal.aborted) addTasks(known);
    } catch (error) {
      // An agent that lists no tasks goes on without what was; one that is gone is told of.
      const isSilent = isTroupeError(error) && error.code === "agent.protocol";
      if (!signal.aborted && !isSilent && queued.length === 0) loadError = toErrorInfo(error);
    }
    if (!signal.aborted) loading = false;
  }

  /** Does one thing, and then the next, unless it was called off. */
  async function work(doing: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    reading = abort;
    await doing(abort.signal);
    if (reading !== abort) return;
    reading = undefined;
    next();
    publish();
  }

  async function read(turn: ChatTurn, signal: AbortSignal): Promise<void> {
    try {
      await follow(turn, signal);
    } catch (error) {
      if (!signal.aborted) change(turn.id, { error: toErrorInfo(error) });
    }
    if (signal.aborted) return;
    stopping.get(turn.id)?.();
    stopping.delete(turn.id);
  }

  function next(): void {
    if (!connected || reading !== undefined) return;
    if (loading) return void work(loadThread);
    const [text, ...rest] = queued;
    // What was written before a question came is no answer to it.
    if (text !== undefined && !turns.some(isOpen) && !isWaiting(turns.at(-1))) {
      queued = rest;
      say({ text });
      stopFrame ??= frames(publish);
    }
    const open = turns.find(isOpen);
    if (open !== undefined) void work((signal) => read(open, signal));
  }

  addTasks(tasks ?? []);
  shown = look();
  return {
    getState: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connect() {
      connected = true;
      next();
    },
    disconnect() {
      connected = false;
      reading?.abort();
      reading = undefined;
      if (stopFrame !== undefined) publish();
    },
    send(text) {
      const last = turns.at(-1);
      if (isWaiting(last)) say({ text });
      else queued = [...queued, text];
      loading ||= loadError !== undefined;
      loadError = undefined;
      if (last !== undefined && isOpen(last) && whileRunning === "cancel") cancelRunning(last);
      next();
      publish();
    },
    reply(reply) {
      const last = turns.at(-1);
      const asked = last === undefined ? [] : pendingRequests(last.state);
      if (!asked.some(({ requestId }) => requestId === reply.requestId))
        throw new ChatError("chat.nothing-asked", `Nobody asks for "${reply.requestId}" (any more).`);
      say({ reply });
      next();
      publish();
    },
    resend() {
      const last = turns.at(-1);
      if (loadError !== undefined) {
        loadError = undefined;
        loading = true;
      } else if (last?.error !== undefined && (last.text === undefined || last.error.code !== TASK_LOST)) {
        const { error: _, ...again } = last;
        turns = [...turns.slice(0, -1), again];
      } else if (last?.text !== undefined && !isOpen(last) && !isWaiting(last))
        queued = [...queued, last.text];
      next();
      publish();
    },
    stop() {
      const last = turns.at(-1);
      queued = [];
      if (last !== undefined && isOpen(last)) cancelRunning(last);
      else if (last !== undefined && isWaiting(last)) void cancelWaiting(last);
      publish();
    },
  };
}
