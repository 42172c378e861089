import { toErrorInfo } from "@troupe/core";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent } from "@troupe/stream";
import type { Workflow } from "@troupe/workflow";
import { stringify } from "yaml";

import { waitingResponse } from "./final-response.ts";
import type { Numbering } from "./numbered.ts";
import { profile } from "./profile.ts";
import type { RunState } from "./state.ts";

// Turns of the orchestrator's own, which no step of a run has a part in.

interface Refusal {
  readonly error: unknown;
  readonly numbering: Numbering;
  readonly canceled: boolean;
  /** It was to answer what the run asks. */
  readonly waits: boolean;
}

/** How a turn ends that came to nothing: a run that still waits asks again, any other one has failed. */
export async function* refused(state: RunState, runId: string, end: Refusal): AsyncGenerator<AgentEvent> {
  const { error, numbering, canceled, waits } = end;
  const head = heads(runId, numbering);
  const open = waits && !canceled ? ((await state.log.view(runId))?.requests ?? []) : [];
  for (const { step, request, attempt } of open)
    yield { ...head(), attempt, stepId: step, type: "input-required", request };
  const outcome = canceled ? "canceled" : open.length > 0 ? "input-required" : "failed";
  yield {
    ...head(),
    type: "finish",
    outcome,
    response: open.length > 0 ? waitingResponse(open) : EMPTY_RESPONSE,
    answerItems: [],
    ...(canceled ? {} : { error: toErrorInfo(error) }),
  };
}

/** The same where the run is on record by now: one that got no plan ends with its turn. */
export async function* cameToNothing(
  state: RunState,
  runId: string,
  end: Refusal,
): AsyncGenerator<AgentEvent> {
  // Nothing is read any more when the process is about to end; its next start knows what to do.
  const planning = await state.log.view(runId).then(
    (view) => view?.status === "planning",
    () => false,
  );
  for await (const event of refused(state, runId, end)) {
    if (planning) state.log.append(runId, event.type, event);
    yield event;
  }
}

/** A turn that only shows the plan, as YAML. */
export function* planOnly(workflow: Workflow, runId: string, numbering: Numbering): Generator<AgentEvent> {
  const head = heads(runId, numbering);
  const itemId = "plan";
  const content = stringify(workflow);
  yield { ...head(), type: "text-start", itemId, role: "answer" };
  yield { ...head(), type: "text-delta", itemId, delta: content };
  yield { ...head(), type: "text-end", itemId };
  yield {
    ...head(),
    type: "finish",
    outcome: "completed",
    response: { ...EMPTY_RESPONSE, is_task_complete: true, content },
    answerItems: [itemId],
  };
}

/** What each event of such a turn begins with. */
function heads(runId: string, numbering: Numbering) {
  return () => ({ v: EVENT_VERSION, runId, seq: numbering.next++, attempt: 1, agent: profile.name }) as const;
}
