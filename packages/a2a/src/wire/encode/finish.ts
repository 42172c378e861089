import type { Part } from "@a2a-js/sdk";
import { unreachable, type AgentEventOf, type InputRequest } from "@troupe/stream";

import { ARTIFACT_NAMES } from "../extension.ts";
import { dataPart, textPart } from "../parts.ts";

/** The artifact a finish leaves, if any: a result only where there is one. */
export function resultArtifact(
  finish: AgentEventOf<"finish">,
  structured: boolean,
): { readonly name: string; readonly parts: readonly [Part] } | undefined {
  if (finish.outcome !== "completed" && finish.outcome !== "partial") return undefined;
  const name =
    finish.outcome === "partial"
      ? ARTIFACT_NAMES.partial
      : finish.stepId === undefined
        ? ARTIFACT_NAMES.final
        : ARTIFACT_NAMES.complete;
  const part = structured ? dataPart(finish.response) : textPart(finish.response.content);
  return { name, parts: [part] };
}

/** One line for a client that shows nothing but the status. */
export function statusText(finish: AgentEventOf<"finish">): string {
  switch (finish.outcome) {
    case "completed":
      return "Completed.";
    case "partial":
      return "Partly completed; what there is stands in partial_result.";
    case "failed":
      return finish.error === undefined ? "Failed." : `${finish.error.message} (${finish.error.code})`;
    case "canceled":
      return "Canceled.";
    case "input-required":
      return finish.response.metadata.user_input || finish.response.content || "Input is needed to go on.";
    default:
      return unreachable(finish.outcome);
  }
}

/** What a form looks like to existing clients. */
export function formPart(request: Extract<InputRequest, { kind: "form" }>): Part {
  return dataPart({
    user_input: true,
    request_id: request.requestId,
    input_title: request.form.title,
    input_description: request.form.description,
    input_fields: request.form.fields,
  });
}
