import { toErrorInfo } from "@troupe/core";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEventOf, type ErrorInfo } from "@troupe/stream";
import { PLAN_LOST, type RunView } from "@troupe/workflow";

/** What is said of a run that its engine could not go on with: it is not over, and where it stands. */
export function interruption(error: unknown): ErrorInfo {
  const { code, message } = toErrorInfo(error);
  const next = code.startsWith("store.")
    ? "It goes on from where it stands when it is resumed, or the orchestrator is started again."
    : "The version that began it can go on with it.";
  return { code, message: `The run is interrupted, not over: ${message.replace(/[.;]?$/, ".")} ${next}` };
}

/** A run as it is while the engine that owns it runs: `stuck` is why that cannot go on with it. */
export function servedView(view: RunView, stuck: unknown): RunView {
  if (view.outcome !== undefined || stuck === undefined) return view;
  return { ...view, status: "interrupted", reason: interruption(stuck).message };
}

/** A run as it is while nobody owns its home: only what waits for a person waits; a plan is lost. */
export function unservedView(view: RunView): RunView {
  if (view.status === "running") return { ...view, status: "interrupted" };
  if (view.status !== "planning") return view;
  return { ...view, status: "failed", outcome: "failed", reason: PLAN_LOST.message };
}

/** The end of a turn whose run is interrupted, with the steps as far as they are known. */
export function interruptedEnd(view: RunView, error: ErrorInfo, seq: number): AgentEventOf<"finish"> {
  const steps = view.steps.map(({ id, agent, state, reason }) => ({
    id,
    agent,
    outcome: state === "input_required" ? "input-required" : state,
    ...(reason === undefined ? {} : { reason }),
  }));
  return {
    v: EVENT_VERSION,
    runId: view.runId,
    seq,
    attempt: 1,
    agent: "orchestrator",
    type: "finish",
    outcome: "failed",
    response: { ...EMPTY_RESPONSE, data: { steps, artifacts: [], interrupted: true } },
    answerItems: [],
    error,
  };
}
