import type { AgentProfile, AgentRequest, RunnableAgent } from "@troupe/core";
import {
  EMPTY_RESPONSE,
  type AgentEvent,
  type AgentEventBody,
  type AgentResponse,
  type Outcome,
} from "@troupe/stream";

/** What a scripted agent does with a request; bodies are numbered for it. */
export type AgentScript = (
  request: AgentRequest,
  options: { readonly signal: AbortSignal },
) => AsyncIterable<AgentEventBody | AgentEvent> | Iterable<AgentEventBody | AgentEvent>;

export interface ScriptedAgent extends RunnableAgent {
  /** What it was asked, in order. */
  readonly requests: readonly AgentRequest[];
  /** Runs it was told to let go of while they waited for somebody. */
  readonly canceled: readonly string[];
}

/** An agent that plays a script. Events that carry a position already are passed as they are. */
export function scriptedAgent(script: AgentScript, profile: Partial<AgentProfile> = {}): ScriptedAgent {
  const requests: AgentRequest[] = [];
  const canceled: string[] = [];
  const whole: AgentProfile = {
    name: "scripted-agent",
    title: "Scripted agent",
    description: "Plays a script.",
    version: "1.0.0",
    skills: [
      { id: "play", name: "Play", description: "Plays what was written.", tags: ["test"], examples: [] },
    ],
    ...profile,
  };
  return {
    profile: whole,
    requests,
    canceled,
    cancel(runId) {
      canceled.push(runId);
      return Promise.resolve();
    },
    async *run(request, options) {
      requests.push(request);
      let seq = 0;
      for await (const body of script(request, options)) {
        if ("v" in body) yield body;
        else yield { v: 1, runId: request.runId, seq: seq++, attempt: 1, agent: whole.name, ...body };
      }
    },
  };
}

/** A response with everything empty but what is named. */
export function responseOf(content: string, more: Partial<AgentResponse> = {}): AgentResponse {
  return { ...EMPTY_RESPONSE, is_task_complete: true, content, ...more };
}

/** The events of a turn that ends with a question to somebody. */
export function asking(question = "", more: Partial<AgentResponse> = {}): readonly [AgentEventBody] {
  const response = responseOf(question, { is_task_complete: false, require_user_input: true, ...more });
  return [{ type: "finish", outcome: "input-required", response, answerItems: [] }];
}

/** The events of an answer that arrives in these chunks. */
export function answering(
  chunks: readonly string[],
  outcome: Outcome = "completed",
): readonly AgentEventBody[] {
  const content = chunks.join("");
  return [
    { type: "text-start", itemId: "answer", role: "answer" },
    ...chunks.map((delta) => ({ type: "text-delta", itemId: "answer", delta }) as const),
    { type: "text-end", itemId: "answer" },
    {
      type: "finish",
      outcome,
      response: responseOf(content, { is_task_complete: outcome === "completed" }),
      answerItems: ["answer"],
    },
  ];
}
