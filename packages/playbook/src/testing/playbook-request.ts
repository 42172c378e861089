import type { ModelMessage, ModelRequest } from "@troupe/core";

/** A request as a playbook gets it: the question, and the messages after it. */
export const ask = (text: string, ...after: readonly ModelMessage[]): ModelRequest => ({
  system: "",
  messages: [{ role: "user", text }, ...after],
  tools: [],
});

/** A round that calls a tool once for each of these texts, with the texts as results. */
export function answered(name: string, texts: readonly string[], isError = false): readonly ModelMessage[] {
  const calls = texts.map((_, index) => ({ callId: `${name}-${index}`, name, arguments: "{}" }));
  const results = calls.map(({ callId }, index) => ({ callId, name, text: texts[index] ?? "", isError }));
  return [
    { role: "assistant", text: "", toolCalls: calls },
    { role: "tool", results },
  ];
}
