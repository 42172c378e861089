import type { AgentEvent, ArtifactRef, StepState } from "@troupe/stream";
import { answerSignal, type RunLog, type RunOutcome } from "@troupe/workflow";

import { waitingResponse, withReport } from "./final-response.ts";

export interface FollowOptions {
  readonly log: RunLog;
  readonly runId: string;
  /** First position of this turn. */
  readonly from: number;
  /** Up to here it is only told again: what was asked then may have its answer. `from` when absent. */
  readonly caughtUp?: number;
  /** Ids of requests that have their answer, also where the run did not take it in yet. */
  readonly answered: ReadonlySet<string>;
  /** By signal what the run was told so far: answers given before they are asked for, or by another door. */
  readonly signals: () => Promise<ReadonlyMap<string, unknown>>;
  readonly result: () => Promise<RunOutcome>;
  /** Where a file is now: a run may have begun at a port that is not ours any more. */
  readonly locate: <T extends ArtifactRef>(file: T) => Promise<T>;
  readonly signal: AbortSignal;
  /** Told the first position of the next turn before one ends that waits: its reader may leave with its end. */
  readonly onWaiting: (position: number) => void;
}

/**
 * One turn of a run as a caller sees it: its events until it ends, or until nothing goes on but
 * waiting for a person. Such a turn ends `input-required`; the run goes on with the answer. Each event
 * has its position in the log of the run as its `seq`, whichever turn tells it; what such a turn says at its
 * end stands in no log and is counted on from there.
 */
export async function* followRun(options: FollowOptions): AsyncGenerator<AgentEvent> {
  const { log, runId } = options;
  let { caughtUp = options.from } = options;
  const states = new Map<string, StepState>();
  for (const step of (await log.view(runId))?.steps ?? []) states.set(step.id, step.state);
  /** Ids of requests. */
  const told = new Set<string>();
  let next = options.from;
  for await (const { position, event } of log.read(runId, { from: options.from, signal: options.signal })) {
    next = position + 1;
    if (event.type === "finish" && event.stepId === undefined) {
      const outcome = await options.result();
      const files = await Promise.all(outcome.artifacts.map(options.locate));
      const response = withReport(event.response, outcome, files);
      yield { ...event, seq: position, response };
      return;
    }
    if (event.type === "input-required") told.add(event.request.requestId);
    const located =
      event.type === "artifact" ? { ...event, artifact: await options.locate(event.artifact) } : event;
    yield { ...located, seq: position };
    const moved = event.type === "step-status" && event.stepId === undefined;
    if (moved) states.set(event.step, event.state);
    // What the run itself asks is for its plan: nothing goes on meanwhile.
    const asks = event.type === "input-required" && event.stepId === undefined;
    if (next < caughtUp || (!moved && !asks && next !== caughtUp)) continue;
    const all = [...states.values()];
    if (all.includes("in_progress") || !(asks || next === caughtUp || all.includes("input_required")))
      continue;
    const view = await log.view(runId);
    if (view?.status !== "input-required" || view.steps.some((step) => step.state === "in_progress"))
      continue;
    // A view may be of more than was told; whoever begins the next turn may know no more than where the log ends.
    const end = await log.end(runId);
    if (end > next) {
      caughtUp = end;
      continue;
    }
    const given = await options.signals();
    const open = view.requests.filter(
      ({ request: { requestId } }) => !options.answered.has(requestId) && !given.has(answerSignal(requestId)),
    );
    if (open.length === 0) continue;
    let seq = next;
    const head = { v: event.v, runId, attempt: 1, agent: event.agent };
    // What was asked in an earlier turn is asked in this one too, for whoever reads no more than it.
    for (const { step, request, attempt } of open)
      if (!told.has(request.requestId))
        yield { ...head, seq: seq++, attempt, ...stepOf(step), type: "input-required", request };
    options.onWaiting(next);
    yield {
      ...head,
      seq,
      type: "finish",
      outcome: "input-required",
      response: waitingResponse(open),
      answerItems: [],
    };
    return;
  }
}

/** Where a question stands; what the run itself asks stands in no step. */
export function stepOf(step: string): { readonly stepId?: string } {
  return step === "" ? {} : { stepId: step };
}
