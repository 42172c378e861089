import { EMPTY_RESPONSE, type AgentEventBody, type InputRequest, type Outcome } from "@troupe/stream";

export function saying(itemId: string, ...pieces: readonly string[]): AgentEventBody[] {
  return [
    { type: "text-start", itemId, role: "answer" },
    ...pieces.map((delta) => ({ type: "text-delta", itemId, delta }) as const),
  ];
}

export function finish(content: string, outcome: Outcome = "completed"): AgentEventBody {
  const response = { ...EMPTY_RESPONSE, is_task_complete: outcome === "completed", content };
  const error = { code: "model.refused", message: "The model refused." };
  return {
    type: "finish",
    outcome,
    response,
    answerItems: content === "" ? [] : ["a"],
    ...(outcome === "failed" ? { error } : {}),
  };
}

export function answer(text: string): AgentEventBody[] {
  return [...saying("a", text), finish(text)];
}

export const form: InputRequest = {
  requestId: "f1",
  kind: "form",
  form: { title: "Which year?", description: "", fields: [] },
};

export const approval: InputRequest = {
  requestId: "p1",
  kind: "approval",
  calls: [{ callId: "c1", tool: "delete", arguments: { file: "a.txt" } }],
};

export function asking(request: InputRequest): AgentEventBody[] {
  return [{ type: "input-required", request }, finish("", "input-required")];
}
