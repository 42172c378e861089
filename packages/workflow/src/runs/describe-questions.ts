import type { InputRequest, Json } from "@troupe/stream";

import { answerSignal } from "../engine/answer-signal.ts";
import { readAnswer } from "../engine/answer-value.ts";
import { isPlanRequest } from "../engine/plan-request.ts";
import type { LoggedEvent } from "../engine/run-log.ts";
import type { RunView } from "../engine/run.ts";
import type { RunQuestion } from "./run-detail.ts";

/** What people were asked, in that order, and what they said. */
export function describeQuestions(
  view: RunView,
  events: readonly LoggedEvent[],
  signals: ReadonlyMap<string, Json> = new Map(),
): readonly RunQuestion[] {
  const asked = new Map<
    string,
    { readonly step: string; readonly request: InputRequest; readonly askedAt: number }
  >();
  /** By the step that asks: the question nobody has answered so far. */
  const latest = new Map<string, string>();
  const overAt = new Map<string, number>();
  for (const { at, event } of events) {
    if (event.type === "input-required") {
      const { requestId } = event.request;
      const { stepId: step = "" } = event;
      if (!asked.has(requestId)) asked.set(requestId, { step, request: event.request, askedAt: at });
      latest.set(step, requestId);
    }
    if (event.type !== "step-status" || event.stepId !== undefined || event.state === "input_required")
      continue;
    const requestId = latest.get(event.step);
    if (requestId !== undefined) overAt.set(requestId, at);
    latest.delete(event.step);
  }
  const answers = new Map(
    [view.approval ?? [], ...view.steps.map((step) => step.answers ?? [])]
      .flat()
      .map((answered) => [answered.requestId, answered]),
  );
  const open = new Set(view.requests.map(({ request }) => request.requestId));
  return [...asked].map(([requestId, question]) => {
    if (open.has(requestId)) return { ...question, state: "open" };
    const signal = signals.get(answerSignal(requestId));
    const answer = signal === undefined ? undefined : readAnswer(signal).reply;
    // The view has no approval for a rejected plan or for added steps, so the signal is read.
    const given = signal === undefined ? undefined : readAnswer(signal).answered;
    const told = answers.get(requestId) ?? (isPlanRequest(requestId) ? given : undefined);
    if (told !== undefined)
      return { ...question, state: "answered", answered: told, ...(answer === undefined ? {} : { answer }) };
    // Of before who answered was kept.
    const at = overAt.get(requestId);
    if (answer === undefined || at === undefined) return { ...question, state: "withdrawn" };
    return { ...question, state: "answered", answered: { requestId, at, through: "unknown" }, answer };
  });
}
