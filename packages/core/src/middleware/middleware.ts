import type { ArtifactRef, Json, Usage } from "@troupe/stream";

import type { CallRecord } from "../loop/agent-state.ts";
import type { Limits } from "../ports/delegation.ts";
import type { Log } from "../ports/log.ts";
import type { ModelRequest } from "../ports/model.ts";
import type { Tool } from "../ports/tool.ts";
import type { WorkflowRunner } from "../ports/workflow-runner.ts";

/** A run as a middleware sees it; it changes while the run goes on. */
export interface RunView {
  readonly runId: string;
  readonly agent: string;
  /** Id of the model in use. */
  readonly modelId: string;
  readonly userId: string | undefined;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** What the configuration and the delegation allow together. */
  readonly limits: Limits;
  /** Rounds asked so far. */
  readonly iteration: number;
  /** As the provider reported it, of all rounds so far. */
  readonly usage: Usage;
  /** The same, with an estimate of each call for which nothing was reported, where a limit asks for it. */
  readonly spent: Usage;
  /** What workflows that it started used; part of `usage`, not of `spent`. */
  readonly delegated?: Usage;
  /** Starts workflows; absent where no orchestrator runs the agent. */
  readonly workflows?: WorkflowRunner | undefined;
  /** Calls that ended, those that never ran among them. */
  readonly calls: readonly CallRecord[];
  /** Files that came with the request, that tools made in this run, and those of the steps before it. */
  readonly files: readonly ArtifactRef[];
}

/** A call the model wants made. */
export interface ProposedCall {
  readonly callId: string;
  readonly tool: Tool;
  readonly arguments: Json;
}

/** `refuse` is what the model reads as an error; nothing runs. */
export type Filled = { readonly arguments: Json } | { readonly refuse: string };
export type Verdict = { readonly refuse: string } | "ask";

type Maybe<T> = T | undefined | Promise<T | undefined>;

/**
 * What stands between the loop and its model and tools. A plain object; every hook may be left out,
 * and one that is left out costs nothing. Hooks of one kind run in the order of the list, each on what
 * the one before made of it. One that throws ends the run: a `TroupeError` is shown as it is, of
 * anything else a client sees a code only.
 *
 * One object serves every run of an agent, at once: what belongs to a run comes in as `run`.
 */
export interface Middleware {
  /** For the log and for messages, kebab-case. */
  readonly name: string;
  /** Tools that the agent gets with it. */
  readonly tools?: readonly Tool[];
  /** The request of a round, before every attempt at it. Must not change what it is given. */
  beforeModel?(request: ModelRequest, run: RunView): ModelRequest | Promise<ModelRequest>;
  /**
   * A model call failed, for the nth time in this round (1 is the first). Milliseconds after which it
   * is made again; undefined leaves it to the next in the list, and nobody's word ends the run.
   */
  onModelError?(error: unknown, failures: number, run: RunView): number | undefined;
  /** The calls of a round together, before any of them runs. Throws where they may not. */
  beforeTools?(calls: readonly { readonly name: string }[], run: RunView): void;
  /** Arguments as the model wrote them, before the tool checks them. Undefined leaves them. */
  fillArguments?(call: ProposedCall, run: RunView): Maybe<Filled>;
  /** A call as it would run, checked by its tool. Undefined lets it pass; a refusal wins over "ask". */
  beforeTool?(call: ProposedCall, run: RunView): Maybe<Verdict>;
}
