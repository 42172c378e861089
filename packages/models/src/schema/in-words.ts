import type { ModelRequest } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";

/** Asks for a tool call, or for none, where an endpoint refuses to be forced. */
export function choiceInWords(choice: Exclude<ModelRequest["toolChoice"], "auto" | undefined>): string {
  if (choice === "none") return "Answer without a tool call.";
  return choice === "required"
    ? "Answer with a tool call."
    : `Answer with a call of the tool "${choice.name}".`;
}

/** Asks for JSON of a form where an endpoint does not know the parameter for it. */
export function formatInWords(schema: JsonObject): string {
  return `Answer with one JSON object and nothing else. It must match this JSON Schema: ${JSON.stringify(schema)}`;
}
