import type { ArtifactRef } from "./artifact.ts";
import type { Citation } from "./citation.ts";
import type { Answered, InputRequest } from "./form.ts";
import type { Json } from "./json.ts";
import type { Plan, StepState } from "./plan.ts";
import type { AgentResponse, Outcome, Usage } from "./response.ts";

export const EVENT_VERSION = 1;

/**
 * What a text item turned out to be, relative to the emitting task. `answer` items are born so or
 * settle so; all else is born `open` and settles once.
 */
export type SettledRole = "narration" | "answer";
export type TextRole = "open" | SettledRole;

export type ToolStatus =
  | "ok"
  | "error"
  /** Stood after `finish` in its round, or its arguments were never usable. */
  | "not-run"
  | "canceled";

/** What went wrong, safe to show: a stable code and a sentence without internals. */
export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
}

/** A result in an artifact that the agent names: its `data`, or the text of the response where it has none. */
export interface NamedResult {
  readonly name: string;
  readonly data?: Json;
}

/** What happened, without where it happened: what an emitter hands to whoever numbers events. */
export type AgentEventBody =
  | { readonly type: "text-start"; readonly itemId: string; readonly role: "open" | "answer" }
  | { readonly type: "text-delta"; readonly itemId: string; readonly delta: string }
  | { readonly type: "text-role"; readonly itemId: string; readonly role: SettledRole }
  | { readonly type: "text-end"; readonly itemId: string }
  | { readonly type: "tool-start"; readonly callId: string; readonly tool: string; readonly arguments: Json }
  | {
      readonly type: "tool-end";
      readonly callId: string;
      readonly tool: string;
      readonly status: ToolStatus;
      /** One line for a person, at most 300 characters. */
      readonly summary: string;
      readonly ms: number;
    }
  | { readonly type: "plan-update"; readonly plan: Plan }
  | {
      readonly type: "step-status";
      readonly step: string;
      readonly state: StepState;
      /** Why it failed, was skipped or waits. */
      readonly reason?: string;
      /** The answer with which it goes on or has ended. */
      readonly answered?: Answered;
    }
  | { readonly type: "artifact"; readonly artifact: ArtifactRef }
  | { readonly type: "citation"; readonly citation: Citation }
  /** Added to what was reported before, not a running total. */
  | { readonly type: "usage"; readonly model: string; readonly usage: Usage }
  /** A retry begins: the items of the attempt before are superseded. */
  | {
      readonly type: "attempt-start";
      readonly reason: string;
      /** When only part of the work is repeated: the text items and calls that are superseded. */
      readonly items?: readonly string[];
    }
  | { readonly type: "input-required"; readonly request: InputRequest }
  | {
      readonly type: "finish";
      readonly outcome: Outcome;
      readonly response: AgentResponse;
      /** The items whose text is `response.content`, in order; the only authority on that. */
      readonly answerItems: readonly string[];
      readonly error?: ErrorInfo;
      /** With `failed`: the agent declined the request instead of trying. */
      readonly rejected?: true;
      /** With `completed`: the result as A2A clients get it, in place of the whole response. */
      readonly result?: NamedResult;
    };

/** Where an event stands. `seq` grows by one per run and emitter; `attempt` counts from 1. */
export interface EventPosition {
  readonly v: typeof EVENT_VERSION;
  readonly runId: string;
  readonly seq: number;
  readonly attempt: number;
  /** The workflow step it belongs to, absent for what the run itself emits. */
  readonly stepId?: string;
  /** Name of the agent that emitted it. */
  readonly agent: string;
}

/** One union from the loop to the browser. */
export type AgentEvent = EventPosition & AgentEventBody;
export type AgentEventType = AgentEvent["type"];
export type AgentEventOf<T extends AgentEventType> = Extract<AgentEvent, { type: T }>;

/** Makes a switch over a union fail to compile when a member is not handled. */
export function unreachable(value: never): never {
  throw new TypeError(`not handled: ${JSON.stringify(value)}`);
}
