import type { ModelMessage, ModelRequest } from "@troupe/core";

/** A request as a playbook gets it: what was asked, and what came of it so far. */
export const ask = (text: string, ...after: readonly ModelMessage[]): ModelRequest => ({
  system: "",
  messages: [{ role: "user", text }, ...after],
  tools: [],
});

/** A round in which a tool was called once for each of these texts, its results. */
export function answered(name: string, texts: readonly string[], isError = false): readonly ModelMessage[] {
  const calls = texts.map((_, index) => ({ callId: `${name}-${index}`, name, arguments: "{}" }));
  const results = calls.map(({ callId }, index) => ({ callId, name, text: texts[index] ?? "", isError }));
  return [
    { role: "assistant", text: "", toolCalls: calls },
    { role: "tool", results },
  ];
}
