import {
  EMPTY_RESPONSE,
  type AgentResponse,
  type ArtifactRef,
  type InputRequest,
  type Json,
} from "@troupe/stream";
import type { RunOutcome } from "@troupe/workflow";

/** The run's response with what its steps did and the files they made, and with every source. */
export function withReport(
  response: AgentResponse,
  outcome: RunOutcome,
  files: readonly ArtifactRef[],
): AgentResponse {
  const steps = outcome.steps.map((step) => ({
    id: step.stepId,
    agent: step.agent,
    outcome: step.outcome,
    ...(step.reason === undefined ? {} : { reason: step.reason }),
    ...(step.keptFrom === undefined ? {} : { keptFrom: step.keptFrom }),
    ms: step.ms,
    usage: { ...step.usage },
  }));
  const artifacts: Json = files.map((artifact) => ({ ...artifact }));
  return { ...response, citations: outcome.citations, data: { ...response.data, steps, artifacts } };
}

/** What stands in for an answer while people are asked. */
export function waitingResponse(requests: readonly { readonly request: InputRequest }[]): AgentResponse {
  const forms = requests.flatMap(({ request }) => (request.kind === "form" ? [request.form] : []));
  return {
    ...EMPTY_RESPONSE,
    require_user_input: true,
    metadata: {
      user_input: true,
      question: forms.flatMap(({ title, description }) => [title, description].filter(Boolean)).join("\n"),
      input_fields: forms.flatMap((form) => form.fields),
    },
  };
}
