import type { ArtifactRef } from "../artifact.ts";
import type { TextRole, ToolStatus } from "../event.ts";
import type { InputRequest } from "../form.ts";
import type { Json } from "../json.ts";
import type { Plan, StepState } from "../plan.ts";

/** What every item of a turn carries. Items stand in the order in which they began. */
export interface TurnItemBase {
  /**
   * Unique in a turn: `stepId/attempt/id` of a message, as `finish.answerItems` names it; before
   * the id of anything else stands its kind. The step id is empty for what the run itself emits.
   */
  readonly key: string;
  readonly stepId?: string;
  readonly agent: string;
  readonly attempt: number;
  /** A retry took its place. */
  readonly superseded: boolean;
}

/** A stretch of text. Its role is relative to the task that emitted it. */
export interface MessageItem extends TurnItemBase {
  readonly kind: "message";
  readonly itemId: string;
  readonly role: TextRole;
  readonly text: string;
  /** No more text comes. */
  readonly closed: boolean;
}

/** A call, with how it went, so that a view may show one row and leave the result out. */
export interface ToolCallItem extends TurnItemBase {
  readonly kind: "tool_call";
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly status: "running" | ToolStatus;
  /** One line for a person, empty while it runs. */
  readonly summary: string;
  /** How long it took, 0 while it runs. */
  readonly ms: number;
}

/** What came of a call. It stands where it arrived, which need not be right after the call. */
export interface ToolResultItem extends TurnItemBase {
  readonly kind: "tool_result";
  readonly callId: string;
  readonly tool: string;
  readonly status: ToolStatus;
  /** One line for a person. */
  readonly summary: string;
  readonly ms: number;
}

export interface StepProgress {
  readonly state: StepState;
  readonly reason?: string;
}

/** The plan as it stands. A new snapshot takes the place of the one before, in the same item. */
export interface PlanItem extends TurnItemBase {
  readonly kind: "plan";
  readonly plan: Plan;
  /** By step id: every step of the plan, and steps known by their status alone. */
  readonly steps: { readonly [stepId: string]: StepProgress };
}

export interface FormItem extends TurnItemBase {
  readonly kind: "form";
  readonly request: InputRequest;
}

export interface FileItem extends TurnItemBase {
  readonly kind: "file";
  readonly artifact: ArtifactRef;
}

export type AgentTurnItem = MessageItem | ToolCallItem | ToolResultItem | PlanItem | FormItem | FileItem;
