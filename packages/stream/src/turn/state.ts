import type { Citation } from "../citation.ts";
import type { ErrorInfo } from "../event.ts";
import type { AgentResponse, Outcome, Usage } from "../response.ts";
import type { AgentTurnItem } from "./items.ts";

/** What is known of one workflow step from the events it emitted. */
export interface StepView {
  readonly stepId: string;
  readonly agent: string;
  readonly attempt: number;
  readonly usage: Usage;
  readonly citations: readonly Citation[];
  /** How it ended; absent while it runs. */
  readonly outcome?: Outcome;
}

/** One turn of a conversation as a reader sees it. Plain data, never changed in place. */
export interface TurnState {
  readonly items: readonly AgentTurnItem[];
  /** Text known to be the answer; after the end, the response's content. */
  readonly answer: string;
  /** Text of the run's own item that is still open: it may become the answer. */
  readonly draft: string;
  /** What to show as the reply right now: the answer, else the draft. */
  readonly content: string;
  /** Those the answer rests on. */
  readonly citations: readonly Citation[];
  /** Summed over the run and all its steps. */
  readonly usage: Usage;
  readonly steps: { readonly [stepId: string]: StepView };
  /** How the turn ended; absent while it runs. */
  readonly outcome?: Outcome;
  readonly response?: AgentResponse;
  readonly error?: ErrorInfo;
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  modelCalls: 0,
};

/** A turn before its first event. */
export const emptyTurn: TurnState = {
  items: [],
  answer: "",
  draft: "",
  content: "",
  citations: [],
  usage: NO_USAGE,
  steps: {},
};

export function addUsage(a: Usage, b: Usage): Usage {
  const cost = a.costUsd ?? b.costUsd;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    modelCalls: a.modelCalls + b.modelCalls,
    ...(cost === undefined ? {} : { costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0) }),
  };
}
