import type { AgentEvent, AgentEventOf } from "@troupe/stream";

import { scriptOf, streamInputSchema } from "./model-script.ts";
import { runScript } from "./run-script.ts";
import type { Actual, RunVector } from "./vector.ts";

/**
 * A model's stream in marker mode, or one whose answer stands in the arguments of a call, with tools
 * and errors between.
 */
export const streamVector: RunVector = async ({ kind, mode, input }) => {
  const structured = kind === "structured_extract" || mode === "structured";
  const script = scriptOf(streamInputSchema.parse(input), (tool) => structured && ANSWER_TOOL.test(tool));
  return told(await runScript(script, structured ? "finish" : "marker"), structured);
};

/** What the cases' systems called what is `finish` here. */
const ANSWER_TOOL = /^finish$|response$/i;

type Told = Readonly<Record<string, unknown>>;

function told(events: readonly AgentEvent[], structured: boolean): Actual {
  const roles = rolesOf(events);
  const stream = events.flatMap((event) => line(event, roles));
  const end = events.find((event) => event.type === "finish");
  const final = end === undefined ? {} : finalOf(end);
  if (structured && end?.error === undefined && end?.response.content) {
    stream.push({ ...final, metadata: metadataOf(end), from_response_format_tool: true });
  }
  const chunks = events.filter((event) => event.type === "text-delta").length;
  return { expect_stream: stream, expect_terminal: { ...final, streaming_chunks_yielded: chunks } };
}

/** What each item turned out to be. */
function rolesOf(events: readonly AgentEvent[]): ReadonlyMap<string, "answer" | "narration"> {
  const roles = new Map<string, "answer" | "narration">();
  for (const event of events) {
    if (event.type === "text-start")
      roles.set(event.itemId, event.role === "answer" ? "answer" : "narration");
    if (event.type === "text-role") roles.set(event.itemId, event.role);
    if (event.type !== "finish") continue;
    for (const [id, role] of roles) {
      if (event.answerItems.includes(id)) roles.set(id, "answer");
      else if (role === "answer") roles.set(id, "narration");
    }
  }
  return roles;
}

function line(event: AgentEvent, roles: ReturnType<typeof rolesOf>): Told[] {
  switch (event.type) {
    case "text-delta": {
      const answer = roles.get(event.itemId) === "answer";
      return [{ content: event.delta, ...(answer ? { is_final_answer: true } : { is_narration: true }) }];
    }
    case "tool-start":
      return [
        { content: event.tool, tool_call: { name: event.tool, status: "started", type: "notification" } },
      ];
    case "tool-end": {
      const status = event.status === "ok" ? "completed" : event.status;
      return [{ content: event.summary, tool_result: { name: event.tool, status, type: "notification" } }];
    }
    case "attempt-start":
      return [{ clear_accumulators: true, content: "" }];
    default:
      return [];
  }
}

/** Flags that are false are left out. */
function finalOf({ response }: AgentEventOf<"finish">): Told {
  return {
    ...(response.is_task_complete ? { is_task_complete: true } : {}),
    ...(response.require_user_input ? { require_user_input: true } : {}),
    content: response.content,
  };
}

function metadataOf({ response }: AgentEventOf<"finish">): Told | null {
  const { user_input, input_fields } = response.metadata;
  return response.require_user_input ? { user_input, input_fields } : null;
}
