import type { ToolStatus, Usage } from "@troupe/stream";

import type { ModelMessage } from "../ports/model.ts";

export interface CallRecord {
  readonly tool: string;
  readonly status: ToolStatus;
}

/** A run between two rounds, as a stop rule sees it. */
export interface AgentState {
  /** Rounds asked so far. */
  readonly iteration: number;
  readonly messages: readonly ModelMessage[];
  readonly calls: readonly CallRecord[];
  /** The last text that was written, empty when there is none. */
  readonly draft: string;
  readonly usage: Usage;
  readonly elapsedMs: number;
}

/**
 * Returns what the model has to do before it answers, such as saving a file, as a message to the model; undefined if
 * nothing is left. An answer is sent back with that message once; if the work is still not done, the answer is partial.
 */
export type FinishRule = (state: AgentState) => string | undefined;

/** Asked after every round without an answer; true ends the run as partial, with the last draft. */
export type StopRule = (state: AgentState) => boolean;
