import type { AgentEvent, AgentEventOf } from "@troupe/stream";

type Emitter = Pick<AgentEvent, "agent" | "stepId">;

/** Descriptions of artifacts: one line for people who look at a task. */
export const describe = {
  text: (from: Emitter, isAnswer: boolean) => `${isAnswer ? "Answer" : "Draft text"} from ${nameOf(from)}`,
  result: (from: AgentEventOf<"finish">, isData: boolean) => {
    const response = `${isData ? "structured response" : "response"} from ${nameOf(from)}`;
    return from.outcome === "partial" ? `Partial ${response}` : capitalize(response);
  },
  toolStart: (event: AgentEventOf<"tool-start">) => `Call of tool ${event.tool} by ${nameOf(event)}`,
  toolEnd: (event: AgentEventOf<"tool-end">) => `Result of tool ${event.tool} for ${nameOf(event)}`,
  plan: (from: Emitter) => `Plan of ${nameOf(from)} with the state of its steps`,
  file: (from: Emitter) => `File from ${nameOf(from)}`,
  input: (event: AgentEventOf<"input-required">) =>
    `${event.request.kind === "form" ? "Form" : "Approval"} requested by ${nameOf(event)}`,
} as const;

function nameOf({ agent, stepId }: Emitter): string {
  return stepId === undefined ? agent : `${agent} in step ${stepId}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
