import type { ArtifactRef, ChartSpec, Citation, Json, JsonObject, ResultTable } from "@troupe/stream";

import type { TraceContext } from "../trace/trace-context.ts";
import type { AnswerEvidence } from "./answer-check.ts";
import type { Limits, SharedContext } from "./delegation.ts";
import type { Log } from "./log.ts";
import type { ToolDefinition } from "./model.ts";
import type { ModelUsage, WorkflowRunner } from "./workflow-runner.ts";

/** A picture of a chart. */
export interface ChartFile {
  /** Id of one of the `charts` of the same output. */
  readonly chartId: string;
  readonly artifact: ArtifactRef;
}

/** One revision of a file that later calls of a tool rewrite, such as a presentation that is saved again. */
export interface FileRevision {
  /** Identifies the file; the same for all of its revisions. */
  readonly of: string;
  readonly artifact: ArtifactRef;
}

/** What a tool hands back. `text` is what the model reads; the rest is kept for the response. */
export interface ToolOutput {
  readonly text: string;
  readonly isError?: boolean;
  /** One line for a person; the first line of `text` when absent. */
  readonly summary?: string;
  /**
   * What an answer may state of it without a citation; never the arguments of the call, nor an error about them. When
   * absent, `text` without what is in the arguments of the run's calls, and of a tool with sources the first line of
   * `summary`.
   */
  readonly given?: string;
  readonly citations?: readonly Citation[];
  readonly charts?: readonly ChartSpec[];
  /** Rows that figures of the answer may come from; answers are checked against them. */
  readonly tables?: readonly ResultTable[];
  readonly artifacts?: readonly ArtifactRef[];
  /**
   * Images that are shown to the model, of the user the tool was called for. They are no files of the answer unless they
   * are among `artifacts` too.
   */
  readonly images?: readonly ArtifactRef[];
  /** Files that are delivered only when the response includes their chart. */
  readonly chartFiles?: readonly ChartFile[];
  /** Files that are delivered when the run ends, each in its last revision. */
  readonly revisions?: readonly FileRevision[];
  readonly data?: Json;
  /** What models used for it, where that counts for the run that called it. */
  readonly usage?: readonly ModelUsage[];
}

/** How far a long call is, for whoever watches. */
export interface ToolProgress {
  /** One line for a person. */
  readonly message: string;
  readonly done: number;
  readonly total?: number;
}

export interface ToolContext {
  readonly runId: string;
  readonly callId: string;
  readonly agent: string;
  readonly signal: AbortSignal;
  /** Results of the steps this one depends on. */
  readonly shared: SharedContext;
  /** What tools found so far, under the run's numbers; absent outside a run, as behind an MCP server. */
  readonly citations?: readonly Citation[];
  /** Charts and tables that tools found so far; absent outside a run. */
  readonly charts?: readonly ChartSpec[];
  readonly tables?: readonly ResultTable[];
  /** Whether a result that the model still sees has this text; absent outside a run. */
  readonly wasShown?: (text: string) => boolean;
  /** All that the answer of the run will be checked against; absent outside a run. */
  readonly evidence?: () => AnswerEvidence;
  /** What the person wrote: the request and the turns before; absent outside a run. */
  readonly given?: readonly string[];
  readonly userId?: string;
  readonly collectionId?: string;
  /** Starts workflows; absent where no orchestrator runs the agent. */
  readonly workflows?: WorkflowRunner;
  /** See `Delegation.depth`. */
  readonly depth?: number;
  /** What the run may still use; absent where nothing limits that. */
  readonly limitsLeft?: Pick<Limits, "maxTotalTokens" | "maxCostUsd">;
  /** The trace that the run stands in. */
  readonly trace?: TraceContext;
  /** Absent when nobody watches. Never fails and never waits. */
  readonly progress?: (progress: ToolProgress) => void;
  readonly log: Log;
}

/**
 * What a call does, for a client that decides whether to ask a person first. The terms are those of MCP.
 * All are given together, so that none is left to a default.
 */
export interface ToolAnnotations {
  /** Name for people, such as "Search documents". */
  readonly title: string;
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** May delete or overwrite what was there; false where it only adds. */
  readonly destructive: boolean;
  /** Reaches beyond what its server keeps, such as the web. */
  readonly openWorld: boolean;
}

/** A tool that can be called. `execute` gets arguments that `parse` accepted. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly annotations?: ToolAnnotations;
  /** JSON Schema of what its results carry beside text and files: `citations`, `charts`, `data` and `summary`. */
  readonly outputSchema?: JsonObject;
  /** Calling it twice with the same arguments does no harm, so it may be retried. */
  readonly idempotent: boolean;
  /** It builds on what such calls before it did: within one round they run in the order written. */
  readonly ordered?: boolean;
  /** A person decides about every call before it runs. */
  readonly needsApproval?: boolean;
  /** Checks raw arguments; the messages tell the model what to change. */
  parse(
    args: Json,
  ): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly issues: readonly string[] };
  execute(args: Json, context: ToolContext): Promise<ToolOutput>;
}

/** Scope of an overview. */
export interface OverviewRequest {
  /** All that the user may read when absent. */
  readonly collectionId?: string;
  readonly userId?: string;
}

/** Where tools come from. Listing may reach the network. */
export interface ToolSource {
  /** Name for messages, such as the MCP server's. */
  readonly name: string;
  list(options: { readonly signal: AbortSignal }): Promise<readonly Tool[]>;
  /** Overview of the data that its tools can read, see `RunnableAgent.overview`. Absent if the source has none. Rejects if it cannot be read. */
  overview?(request: OverviewRequest, options: { readonly signal: AbortSignal }): Promise<string | undefined>;
  close(): Promise<void>;
}
