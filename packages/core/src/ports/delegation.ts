import type { ArtifactRef, Citation, ErrorInfo, Outcome, ResponseData, Usage } from "@troupe/stream";

/** Bounds of one step or agent run. */
export interface Limits {
  /** Rounds of the loop. */
  readonly maxIterations?: number;
  /** Wall clock for the whole run, in milliseconds; an hour where nobody says. The time a person is waited for does not count. */
  readonly timeoutMs?: number;
  readonly maxOutputTokens?: number;
  /** Input and output of all rounds together, what is read from and written to a cache included. */
  readonly maxTotalTokens?: number;
  /** US dollars, by the prices of the agent's configuration. */
  readonly maxCostUsd?: number;
  /** Calls of tools, `finish` not counted. */
  readonly maxToolCalls?: number;
}

/** What one step found. Files and citations by reference or quote, never bytes. */
export interface StepResult {
  readonly stepId: string;
  readonly agent: string;
  readonly outcome: Outcome | "skipped";
  readonly answer: string;
  readonly data: ResponseData | null;
  readonly citations: readonly Citation[];
  readonly artifacts: readonly ArtifactRef[];
  readonly usage: Usage;
  readonly error?: ErrorInfo;
  readonly provenance: {
    /** A2A task id at the agent, where there is one. */
    readonly taskId?: string;
    readonly attempt: number;
    /** Milliseconds since the Unix epoch. */
    readonly startedAt: number;
    readonly endedAt: number;
  };
}

/** Results by step id, never by agent name: two steps of one agent do not overwrite each other. */
export interface SharedContext {
  readonly v: 1;
  readonly results: { readonly [stepId: string]: StepResult };
}

/** What a step is asked. One data part on the wire, plus a text part for foreign agents. */
export interface Delegation {
  readonly v: 1;
  /** What the person wants from the whole run. */
  readonly objective: string;
  /** What this step is to do. */
  readonly instruction: string;
  readonly expectedOutput: string;
  /** Names the agent may call; empty means all of its own. */
  readonly allowedTools: readonly string[];
  readonly limits: Limits;
  readonly userId?: string;
  readonly collectionId?: string;
  /** Those of the steps it depends on. */
  readonly results: SharedContext["results"];
}
