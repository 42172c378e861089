import { emptyTurn, reduceTurn, type AgentTurnItem } from "@troupe/stream";

import { agentEventsOf, chatEventsSchema } from "./chat-events.ts";
import type { RunVector } from "./vector.ts";

/** A chat's events reduced to items, and the text of its last round. */
export const turnItemsVector: RunVector = (vector) => {
  const events = agentEventsOf(chatEventsSchema.parse(vector["events"]));
  const turn = events.reduce(reduceTurn, emptyTurn);
  const shown = turn.items.filter(({ superseded, kind }) => !superseded && kind !== "form");
  const round = shown.slice(shown.findLastIndex(({ kind }) => kind !== "message") + 1);
  return {
    expect_text_main: textOf(shown),
    expect_text_terminal_round: textOf(round),
    expect_items: shown.flatMap((item, at) => projected(item, at + 1)),
    expect_content: turn.content,
  };
};

function textOf(items: readonly AgentTurnItem[]): string {
  return items.map((item) => (item.kind === "message" ? item.text : "")).join("");
}

/** Ids count all items, as they stand in the turn. */
function projected(item: AgentTurnItem, place: number): readonly object[] {
  switch (item.kind) {
    case "message":
      return [
        {
          kind: "message",
          id: `msg_${place}`,
          text: item.text,
          status: item.closed ? "completed" : "in_progress",
        },
      ];
    case "tool_call":
      return [
        { kind: "tool_call", callId: item.callId, name: item.tool, args: JSON.stringify(item.arguments) },
      ];
    case "tool_result":
      return [{ kind: "tool_result", callId: item.callId, output: item.summary }];
    default:
      return [];
  }
}
