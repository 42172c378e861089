import type {
  ArtifactRef,
  ChartSpec,
  Citation,
  GateState,
  InputRequest,
  Json,
  ResultTable,
  ToolStatus,
  Usage,
} from "@troupe/stream";

import type { AgentRequest } from "./agent.ts";
import type { ModelMessage, ModelToolResult } from "./model.ts";

/** What the tools of a run found, under the run's numbers. */
export interface EvidenceState {
  readonly citations: readonly Citation[];
  readonly charts: readonly ChartSpec[];
  readonly artifacts: readonly ArtifactRef[];
  /** Pictures by the id of their chart; none when absent. */
  readonly chartFiles?: { readonly [chartId: string]: ArtifactRef };
  /** The last revision of each file that tools rewrote, by `FileRevision.of`; none when absent. */
  readonly revisions?: { readonly [of: string]: ArtifactRef };
  /** Rows that tools returned; none when absent. */
  readonly tables?: readonly ResultTable[];
  /** Tables that texts have cited so far, with their numbers; none when absent. */
  readonly citedTables?: readonly ResultTable[];
  /** Texts of people and tools that an answer may rest on without citing them; the messages when absent. */
  readonly given?: readonly string[];
  /** Structured findings by tool. */
  readonly data: { readonly [tool: string]: Json };
}

/** A run that waits for a person: everything the loop needs to go on. Plain JSON. */
export interface SuspendedRun {
  readonly v: 1;
  /** The request as it came, without its words, which stand in the messages. */
  readonly origin: Omit<AgentRequest, "runId" | "messageId" | "text" | "history" | "reply" | "trace">;
  /** What the person was asked. */
  readonly request: InputRequest;
  readonly messages: readonly ModelMessage[];
  /** Of the calls of the last message: results that are known. The others wait. */
  readonly results: readonly ModelToolResult[];
  readonly evidence: EvidenceState;
  /** Images that tools of this run returned; none when absent. */
  readonly images?: readonly ArtifactRef[];
  readonly usage: Usage;
  /** The same, with estimates where nothing was reported; `usage` when absent. */
  readonly spent?: Usage;
  /** What workflows that it started used; part of `usage`, not of `spent`. */
  readonly delegated?: Usage;
  /** Rounds asked so far. */
  readonly iteration: number;
  readonly calls: readonly { readonly tool: string; readonly status: ToolStatus }[];
  /** Milliseconds it worked; the time it waits is not in it. */
  readonly elapsedMs: number;
  /** Its last text before it asked for an approval, for when no answer comes. */
  readonly draft?: string;
  /** In marker mode: the answer it had begun before it asked for an approval. */
  readonly answer?: string;
  /** Its answer that was not accepted because of findings, with the ids it listed; it is not refused again. */
  readonly refused?: {
    readonly answer: string;
    readonly citations: readonly string[];
    readonly charts: readonly string[];
  };
  /** In marker mode: where the marker has come. */
  readonly gate?: GateState;
}

/** Keeps runs that wait, at most one state a run. Throws a `StoreError` when it cannot. */
export interface SuspendedRuns {
  /** Takes the place of what was kept for this run. Done when it would survive what the store promises to survive. */
  save(runId: string, state: SuspendedRun): Promise<void>;
  /** Undefined for a run that does not wait, or is no longer known. */
  load(runId: string): Promise<SuspendedRun | undefined>;
  /**
   * Lets go of what is kept; harmless when there is nothing. True where there was something: of two
   * that take up the same run at once, one is told so and goes on, the other is not.
   */
  forget(runId: string): Promise<boolean>;
}

/** An agent that takes a place for runs that wait for a person from whoever keeps its tasks. */
export interface KeepsWaiting {
  /** Taken where it was given none of its own; for before its first run. */
  keepWaiting(runs: SuspendedRuns): void;
}
