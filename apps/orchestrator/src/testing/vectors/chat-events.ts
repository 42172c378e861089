import { EMPTY_RESPONSE, type AgentEvent, type AgentEventBody, type Json } from "@troupe/stream";
import { z } from "zod";

/** Events of a chat in the words of the case's system. */
export const chatEventsSchema = z.array(
  z.looseObject({
    type: z.string(),
    content: z.string().nullish(),
    callId: z.string().nullish(),
    name: z.string().nullish(),
    args: z.json().nullish(),
    result: z.json().nullish(),
    error: z.string().nullish(),
    status: z.string().nullish(),
    approvalId: z.string().nullish(),
    toolName: z.string().nullish(),
  }),
);
export type ChatEvent = z.output<typeof chatEventsSchema>[number];

interface OpenText {
  readonly itemId: string;
  text: string;
}

/**
 * The same chat as AgentEvents, as the loop would emit them: a call or its result ends the text
 * before it, the text of the last round is the answer, and nothing follows the finish.
 */
export function agentEventsOf(chat: readonly ChatEvent[]): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  let texts = 0;
  let open: OpenText | undefined;
  let last: OpenText | undefined;
  let ended = false;
  let attempt = 1;
  const emit = (body: AgentEventBody): void => {
    events.push({ v: 1, runId: "run", seq: events.length, attempt, agent: "chat", ...body });
  };
  const begin = (): OpenText => {
    open = { itemId: `t${++texts}`, text: "" };
    emit({ type: "text-start", itemId: open.itemId, role: "open" });
    return open;
  };
  const write = (delta: string): void => {
    const to = open ?? begin();
    to.text += delta;
    emit({ type: "text-delta", itemId: to.itemId, delta });
  };
  const settle = (role: "narration" | "answer"): void => {
    if (open === undefined) return;
    emit({ type: "text-role", itemId: open.itemId, role });
    emit({ type: "text-end", itemId: open.itemId });
    last = role === "answer" ? open : undefined;
    open = undefined;
  };
  /** A text as a whole: goes on with what was written of it, or takes its place. */
  const whole = (text: string): void => {
    if (open !== undefined && !text.startsWith(open.text)) {
      const { itemId } = open;
      settle("narration");
      attempt++;
      emit({ type: "attempt-start", reason: "The text was replaced.", items: [itemId] });
    }
    write(text.slice(open?.text.length ?? 0));
    settle("answer");
  };
  const finish = (outcome: "completed" | "failed"): void => {
    if (ended) return;
    settle("answer");
    ended = true;
    const response = {
      ...EMPTY_RESPONSE,
      is_task_complete: outcome === "completed",
      content: last?.text ?? "",
    };
    emit({ type: "finish", outcome, response, answerItems: last === undefined ? [] : [last.itemId] });
  };

  for (const event of chat) {
    switch (event.type) {
      case "message_delta":
        if (event.content) write(event.content);
        break;
      case "message":
        whole(event.content ?? "");
        break;
      case "tool_call":
        settle("narration");
        last = undefined;
        emit({
          type: "tool-start",
          callId: event.callId ?? "",
          tool: event.name ?? "",
          arguments: (event.args ?? {}) as Json,
        });
        break;
      case "tool_result": {
        settle("narration");
        last = undefined;
        const summary = event.error ?? textOf(event.result);
        const status = event.error ? "error" : "ok";
        emit({
          type: "tool-end",
          callId: event.callId ?? "",
          tool: event.name ?? "",
          status,
          summary,
          ms: 0,
        });
        break;
      }
      case "approval_pending": {
        const calls = [
          { callId: event.callId ?? "", tool: event.toolName ?? "", arguments: (event.args ?? {}) as Json },
        ];
        emit({
          type: "input-required",
          request: { requestId: event.approvalId ?? "", kind: "approval", calls },
        });
        break;
      }
      case "status":
        if (event.status === "complete" || event.status === "completed") finish("completed");
        if (event.status === "error" || event.status === "failed") finish("failed");
        break;
      default:
        break;
    }
  }
  finish("completed");
  return events;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}
