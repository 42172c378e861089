import type { AgentEventOf } from "../event.ts";
import { base, put } from "./change.ts";
import type { ToolCallItem, ToolResultItem } from "./items.ts";
import type { TurnState } from "./state.ts";

type ToolEvent = AgentEventOf<"tool-start" | "tool-end">;

export function startTool(state: TurnState, event: AgentEventOf<"tool-start">): TurnState {
  return findCall(state, event) === undefined ? put(state, callOf(event, event.arguments)) : state;
}

/** The result is an item of its own; its call, which may never have been heard of, tells it too. */
export function endTool(state: TurnState, event: AgentEventOf<"tool-end">): TurnState {
  const { status, summary, ms } = event;
  const call = findCall(state, event) ?? callOf(event, null);
  const result: ToolResultItem = {
    ...base(event, "tool_result", event.callId),
    kind: "tool_result",
    callId: event.callId,
    tool: event.tool,
    superseded: call.superseded,
    status,
    summary,
    ms,
  };
  return put(put(state, { ...call, status, summary, ms }), result);
}

function callOf(event: ToolEvent, args: ToolCallItem["arguments"]): ToolCallItem {
  return {
    ...base(event, "tool_call", event.callId),
    kind: "tool_call",
    callId: event.callId,
    tool: event.tool,
    arguments: args,
    status: "running",
    summary: "",
    ms: 0,
  };
}

function findCall(state: TurnState, event: ToolEvent): ToolCallItem | undefined {
  const { key } = base(event, "tool_call", event.callId);
  return state.items.findLast((item): item is ToolCallItem => item.kind === "tool_call" && item.key === key);
}
