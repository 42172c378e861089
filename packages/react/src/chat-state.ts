import type { AgentTurnItem, ErrorInfo, InputReply, InputRequest, TurnState } from "@troupe/stream";
import { pendingRequests } from "@troupe/stream";

export type ChatStatus =
  | "idle"
  /** The agent works, or what it did is being read. */
  | "running"
  /** It waits for the answer to what stands in `requests`. */
  | "input-required"
  /** The last turn failed, or could not be delivered or read: see `error`. */
  | "error";

/** What a person said and what came of it. */
export interface ChatTurn {
  readonly id: string;
  /** Absent for a reply, and for a task that was found and not begun here. */
  readonly text?: string;
  readonly reply?: InputReply;
  /** Known from the first word of the agent. */
  readonly taskId?: string;
  readonly state: TurnState;
  /** Why it could not be delivered or read; what the agent itself says went wrong is in `state`. */
  readonly error?: ErrorInfo;
}

/** A chat as it is shown. Plain data, never changed in place. */
export interface AgentChatState {
  readonly threadId: string;
  /** Oldest first. */
  readonly turns: readonly ChatTurn[];
  /** Texts that wait until the agent is free and asks nothing. */
  readonly queued: readonly string[];
  readonly status: ChatStatus;
  /** Of the last turn. */
  readonly items: readonly AgentTurnItem[];
  /** The reply of the last turn as far as it is known. */
  readonly content: string;
  /** What the person is asked. */
  readonly requests: readonly InputRequest[];
  readonly error?: ErrorInfo;
}

/** Neither told to the end nor given up. */
export function isOpen(turn: ChatTurn): boolean {
  return turn.state.outcome === undefined && turn.error === undefined;
}

/** It asked something, and has no answer yet when it is the last. */
export function isWaiting(turn: ChatTurn | undefined): boolean {
  return turn?.state.outcome === "input-required";
}

export function chatState(of: {
  readonly threadId: string;
  readonly turns: readonly ChatTurn[];
  readonly queued: readonly string[];
  /** The thread is still being read. */
  readonly loading: boolean;
  /** Why it could not be read. */
  readonly loadError: ErrorInfo | undefined;
}): AgentChatState {
  const { threadId, turns, queued, loading, loadError } = of;
  const last = turns.at(-1);
  const running = loading || turns.some(isOpen) || (queued.length > 0 && !isWaiting(last));
  const error = loadError ?? last?.error ?? last?.state.error;
  return {
    threadId,
    turns,
    queued,
    status: running ? "running" : statusOf(last, loadError),
    items: last?.state.items ?? [],
    content: last?.state.content ?? "",
    requests: running || last === undefined ? [] : pendingRequests(last.state),
    ...(error === undefined ? {} : { error }),
  };
}

function statusOf(last: ChatTurn | undefined, loadError: ErrorInfo | undefined): ChatStatus {
  if (loadError !== undefined || last?.error !== undefined) return "error";
  if (last?.state.outcome === "failed") return "error";
  return isWaiting(last) ? "input-required" : "idle";
}
