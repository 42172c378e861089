import type {
  ArtifactRef,
  Citation,
  ErrorInfo,
  JsonObject,
  Outcome,
  ResponseData,
  SentenceCheck,
  Usage,
} from "@troupe/stream";

/** A file that was given by an external address; `name` may be empty. */
export interface UnreadFile {
  readonly name: string;
  readonly url: string;
}

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

/**
 * Where a result is handed over in part: how much there is of what is not all here, and the file that has the
 * whole of it, where somebody keeps one.
 */
export interface Abridged {
  /** Characters of the whole answer, of which the beginning is here. */
  readonly answerChars?: number;
  /** The whole answer, as a text file. */
  readonly answer?: ArtifactRef;
  /** How many citations, charts and files there are; each only where some are left out. */
  readonly citations?: number;
  readonly charts?: number;
  readonly tables?: number;
  readonly files?: number;
  /** Keys of `data` that are left out. */
  readonly data?: readonly string[];
  /** All of these, as a JSON file `{ citations, data, artifacts }`. */
  readonly rest?: ArtifactRef;
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
  /** The claims of the answer as they were checked; absent where nothing was. */
  readonly checks?: readonly SentenceCheck[];
  /** Present where not all of it is here. */
  readonly abridged?: Abridged;
  readonly provenance: {
    /** A2A task id at the agent, where there is one. */
    readonly taskId?: string;
    /** The run it was found in, where that is an earlier one of the conversation. */
    readonly runId?: string;
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

/** A turn of the conversation before this run. */
export interface EarlierTurn {
  /** From 1; names of results begin with it. */
  readonly turn: number;
  readonly runId: string;
  /** The person's words, perhaps cut short. */
  readonly asked: string;
  /** Absent where that run has not ended. */
  readonly outcome?: Outcome;
}

/**
 * What a step is handed of earlier runs of its conversation: what was asked, oldest first, and results
 * by name. A name is `turn1.research`, with a dot, which no step id has: it never hides a result of this run.
 */
export interface EarlierContext {
  readonly v: 1;
  readonly turns: readonly EarlierTurn[];
  /** The `stepId` of each is its name here. */
  readonly results: SharedContext["results"];
}

/** What a step is asked. One data part on the wire, plus a text part for foreign agents. */
export interface Delegation {
  readonly v: 1;
  /** What the person wants from the whole run. */
  readonly objective: string;
  /** What this step is to do. */
  readonly instruction: string;
  readonly expectedOutput: string;
  /** JSON Schema that the answer is to fit, as JSON; whoever asked checks it. */
  readonly outputSchema?: JsonObject;
  /** Names the agent may call; empty means all of its own. */
  readonly allowedTools: readonly string[];
  readonly limits: Limits;
  readonly userId?: string;
  readonly collectionId?: string;
  /** How many workflows started by agents the step is in; 0 when absent. */
  readonly depth?: number;
  /** Those of the steps it depends on. */
  readonly results: SharedContext["results"];
  /** Files that came with the person's request by an address, and were not read. */
  readonly unreadFiles?: readonly UnreadFile[];
  /** Images that came with the person's request, by reference. */
  readonly images?: readonly ArtifactRef[];
  /** Of earlier runs of the conversation; absent where the step builds on none. */
  readonly earlier?: EarlierContext;
}
