import { toErrorInfo } from "@troupe/core";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent } from "@troupe/stream";
import { printWorkflow, type Workflow } from "@troupe/workflow";

import { stepOf } from "./follow-run.ts";
import { waitingResponse } from "./final-response.ts";
import { profile } from "./profile.ts";
import type { RunState } from "./state.ts";
import type { PlanningUsage } from "./planning-sum.ts";

// Turns of the orchestrator's own, which no step of a run has a part in.

interface Refusal {
  readonly error: unknown;
  /** `seq` of its first event. */
  readonly from: number;
  readonly canceled: boolean;
  /** It was to answer what the run asks. */
  readonly waits: boolean;
  /** What it took to plan, all the same. */
  readonly planning?: PlanningUsage;
}

/** How a turn ends that came to nothing: a run that still waits asks again, any other one has failed. */
export async function* refused(state: RunState, runId: string, end: Refusal): AsyncGenerator<AgentEvent> {
  const { error, from, canceled, waits, planning } = end;
  const head = heads(runId, from);
  if (planning) yield { ...head(), type: "usage", ...planning };
  const open = waits && !canceled ? ((await state.log.view(runId))?.requests ?? []) : [];
  for (const { step, request, attempt } of open)
    yield { ...head(), attempt, ...stepOf(step), type: "input-required", request };
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
    // Its end and nothing before: a run with any event is none that is still planned.
    if (planning && event.type === "finish") state.log.append(runId, event.type, event);
    yield event;
  }
}

/** A turn that only shows the plan, as YAML. */
export function* planOnly(
  workflow: Workflow,
  runId: string,
  { planning }: Pick<Refusal, "planning">,
): Generator<AgentEvent> {
  const head = heads(runId, 0);
  const itemId = "plan";
  const content = printWorkflow(workflow);
  if (planning) yield { ...head(), type: "usage", ...planning };
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

/**
 * Does some work and yields the texts it narrates meanwhile. The events of the run count from 0 after it, as in
 * its log, where none of this is kept; so all of it has position 0.
 */
export async function* narrated<T>(
  runId: string,
  work: (narrate: (text: string) => void) => Promise<T>,
): AsyncGenerator<AgentEvent, T> {
  const pending: string[] = [];
  let wake = Promise.withResolvers<void>();
  const result = work((text) => {
    pending.push(text);
    wake.resolve();
  });
  const ended = result.then(
    () => true,
    () => true,
  );
  for (let items = 0; ;) {
    const isOver = await Promise.race([wake.promise.then(() => false), ended]);
    wake = Promise.withResolvers();
    for (const delta of pending.splice(0)) {
      const head = { ...heads(runId, 0)(), itemId: `narration-${items++}` };
      yield { ...head, type: "text-start", role: "open" };
      yield { ...head, type: "text-delta", delta };
      yield { ...head, type: "text-role", role: "narration" };
      yield { ...head, type: "text-end" };
    }
    if (isOver) return result;
  }
}

/** What each event of such a turn begins with. */
function heads(runId: string, from: number) {
  let seq = from;
  return () => ({ v: EVENT_VERSION, runId, seq: seq++, attempt: 1, agent: profile.name }) as const;
}
