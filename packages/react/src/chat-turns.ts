import {
  continueTurn,
  EMPTY_RESPONSE,
  emptyTurn,
  EVENT_VERSION,
  reduceTurn,
  type TurnState,
} from "@troupe/stream";

import type { AgentChatOptions } from "./agent-chat.ts";
import type { ChatTurn } from "./chat-state.ts";
import type { ChatRequest, ChatTask } from "./transport.ts";

/** What is needed of a turn to read it, beside what is shown. */
export interface TurnWork {
  readonly turn: ChatTurn;
  /** Absent for a task that was found. */
  readonly request?: ChatRequest;
  /** What its events are folded into; also when they are told again. */
  readonly base: TurnState;
}

type Said = Pick<ChatTurn, "text" | "reply">;

/** A turn that says something, in answer to the turn before where that waits. */
export function saying(
  said: Said,
  before: ChatTurn | undefined,
  thread: Pick<AgentChatOptions, "metadata"> & { readonly threadId: string; readonly messageId: string },
): TurnWork {
  const waiting = before?.state.outcome === "input-required" ? before : undefined;
  const taskId = waiting?.taskId;
  const base = waiting === undefined ? emptyTurn : continueTurn(waiting.state, said.reply?.requestId);
  return {
    turn: { id: thread.messageId, ...said, state: base },
    request: { ...thread, ...said, ...(taskId === undefined ? {} : { taskId }) },
    base,
  };
}

/** A turn whose task is known, and nothing yet of what came of it. */
export function found({ taskId, text }: ChatTask): TurnWork {
  const said = text === undefined || text === "" ? {} : { text };
  return { turn: { id: taskId, taskId, ...said, state: emptyTurn }, base: emptyTurn };
}

/** The turn as canceled, where its agent does not say so itself. */
export function canceled({ state, taskId = "" }: ChatTurn): TurnState {
  const { outcome: _, ...open } = state;
  return reduceTurn(open, {
    v: EVENT_VERSION,
    runId: taskId,
    seq: 0,
    attempt: 1,
    agent: "",
    type: "finish",
    outcome: "canceled",
    response: EMPTY_RESPONSE,
    answerItems: [],
  });
}
