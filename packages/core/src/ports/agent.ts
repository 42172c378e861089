import type { AgentEvent, ArtifactRef, InputReply, InputRequest, Json, SentenceCheck } from "@troupe/stream";

import type { ResponseMode } from "../config/agent-config.ts";
import type { TraceContext } from "../trace/trace-context.ts";
import type { Caller } from "./caller.ts";
import type { Delegation, StepResult, UnreadFile } from "./delegation.ts";
import type { OverviewRequest } from "./tool.ts";
import type { WorkflowRunner } from "./workflow-runner.ts";

/** One earlier turn of a conversation: the terminal round only. */
export interface Turn {
  readonly role: "user" | "agent";
  readonly text: string;
  /** The claims of an agent's answer as they were checked; absent where nothing was. */
  readonly checks?: readonly SentenceCheck[];
}

/** One request to an agent. */
export interface AgentRequest {
  readonly runId: string;
  /** Id of the message, as its sender chose it. */
  readonly messageId?: string;
  /** What was asked, in words. */
  readonly text: string;
  readonly history: readonly Turn[];
  readonly contextId?: string;
  readonly userId?: string;
  /**
   * What whoever asks may use, see `Caller`. Present when they were authenticated, and then `userId` is
   * who they are; without it a `userId` is only what the message says.
   */
  readonly scopes?: readonly string[];
  readonly collectionId?: string;
  /** Present when another agent asks as part of a workflow. */
  readonly delegation?: Delegation;
  /** Present when a person answers what this task asked before. */
  readonly reply?: InputReply;
  /** The call that asked, so that the calls made for it stand in the same trace. */
  readonly trace?: TraceContext;
  /** Files that were handed in with it, in the agent's own store and of whoever asks. */
  readonly files?: readonly ArtifactRef[];
  /** Files that were given by an external address, which is not fetched. The agent says so where it matters. */
  readonly unreadFiles?: readonly UnreadFile[];
  /** How the answer is to be delivered; the agent's own configuration when absent. */
  readonly responseMode?: ResponseMode;
  /** It was made before and cut off with the process that worked on it; what it began may have gone on. */
  readonly recovered?: true;
  /** Anything else a caller sent along, by agreement with this agent. */
  readonly metadata?: { readonly [key: string]: Json };
}

export interface AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
}

/** What an agent says of itself; the A2A card is made from it. */
export interface AgentProfile {
  /** Stable name, kebab-case, such as `rag-agent`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly skills: readonly AgentSkill[];
  /** Names of the MCP servers it takes tools from; not where they are. */
  readonly mcpServers?: readonly string[];
  /** Other facts about the agent. Public. */
  readonly metadata?: { readonly [key: string]: Json };
}

/** Anything that answers a request with events; the last one is `finish`, always. */
export interface RunnableAgent {
  readonly profile: AgentProfile;
  /** The model it asks, where a cost limit has no price of it to go by. */
  readonly unpriced?: string;
  /**
   * Keys of `AgentRequest.metadata` that say what is asked: with another value there it is another message, also under
   * the same id. Anything else in metadata may differ whenever one message is sent again.
   */
  readonly asksIn?: readonly string[];
  /**
   * Whether a request that begins something is answered with a message instead of a task, once it has completed.
   * Decided before the work begins, by the request alone: its `history` is empty and its `runId` is not set. A
   * task by default, and always for what does not complete and for callers that read our events.
   */
  readonly repliesWith?: (request: AgentRequest) => "message" | "task";
  /**
   * Names, dates and sizes of the documents or tables in reach of the agent, a line each, at most `MAX_OVERVIEW`
   * characters. The names are written by strangers. Undefined where that is not known; never throws.
   */
  overview?(request: OverviewRequest, options: { readonly signal: AbortSignal }): Promise<string | undefined>;
  run(
    request: AgentRequest,
    options: {
      readonly signal: AbortSignal;
      /** Starts workflows in the name of the caller; absent where no orchestrator runs the agent. */
      readonly workflows?: WorkflowRunner;
    },
  ): AsyncIterable<AgentEvent>;
  /**
   * Nobody will answer what this run asked: what is kept for the reply is let go, and what goes on
   * behind it ends. Called between turns only; while one goes on, its signal says so.
   */
  cancel?(runId: string): Promise<void>;
}

/** What of an agent answers. */
export interface AgentCapabilities {
  readonly card: boolean;
  readonly model: boolean;
  readonly tools: boolean;
}

/** An agent as a planner or a person sees it. */
export interface AgentEntry extends AgentProfile {
  /** Absent for an agent in this process. */
  readonly url?: string;
  /** Up is who can be asked: its card, its model and its tools answer. */
  readonly status: "up" | "down";
  /** Why it is down. */
  readonly reason?: string;
  /** Where the agent tells. One whose card answers and nothing else can still finish what it has. */
  readonly capabilities?: AgentCapabilities;
  /** The model it asks that has no price, so that it refuses whatever has a cost limit; where the agent tells. */
  readonly unpriced?: string;
  /** When its status changed last, in milliseconds since the Unix epoch. */
  readonly since?: number;
}

export interface AgentDirectory {
  list(): Promise<readonly AgentEntry[]>;
  find(name: string): Promise<AgentEntry | undefined>;
}

export interface SendRequest {
  /** Unique per attempt; a resend of the same id is harmless at agents of ours. */
  readonly messageId: string;
  /** The step it is for; not sent. */
  readonly stepId?: string;
  readonly contextId?: string;
  /** The A2A task to go on with, when answering what it asked. */
  readonly taskId?: string;
  readonly delegation: Delegation;
  readonly reply?: InputReply;
}

/** What a step's agent ended with. */
export type AgentResult = Omit<StepResult, "stepId" | "provenance"> & {
  /** What it asks, when `outcome` is `input-required`. */
  readonly request?: InputRequest;
};

/** In whose name an agent is called, in nobody's where no one was authenticated; and in which trace. */
export interface CallerOptions {
  readonly caller?: Caller;
  /** A trace of its own begins where there is none. */
  readonly trace?: TraceContext;
}

/**
 * Calls agents by name. `send` returns as soon as the task is known; `await` joins it, also after
 * a crash of the caller, and reports every event. Both throw an `AgentError` when the agent cannot
 * be reached; an agent that answers `failed` is a result, not an error.
 */
export interface AgentGateway {
  send(
    agent: string,
    request: SendRequest,
    options: CallerOptions & { readonly signal: AbortSignal },
  ): Promise<{ readonly taskId: string }>;
  await(
    agent: string,
    taskId: string,
    options: CallerOptions & {
      readonly signal: AbortSignal;
      /** A promise it returns is waited for before the agent is read on: whoever keeps events need not fall behind. */
      readonly onEvent?: (event: AgentEvent) => void | Promise<void>;
    },
  ): Promise<AgentResult>;
  cancel(agent: string, taskId: string, options?: CallerOptions): Promise<void>;
}
