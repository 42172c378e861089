import type { AgentEvent, InputRequest } from "@troupe/stream";

import type { RunStepView, RunView } from "./run.ts";

/** The types `foldRun` reads; an index may leave out all others. */
export const FOLDED_TYPES = ["plan-update", "step-status", "input-required", "finish"] as const;

export interface RunRecord {
  readonly runId: string;
  /** Of the workflow it was begun with; empty until there is one. */
  readonly name: string;
  readonly objective: string;
  /** Whose it is; nobody's in particular when absent. */
  readonly userId?: string;
  /** The conversation it is a turn of. */
  readonly threadId?: string;
  readonly createdAt: number;
}

/** The state of a run after these events, in their order. Events of nested runs do not count. */
export function foldRun(
  record: RunRecord,
  events: Iterable<{ readonly at: number; readonly event: AgentEvent }>,
): RunView {
  let { name } = record;
  let steps: readonly RunStepView[] = [];
  let approval: RunView["approval"];
  /** By step; what the run itself asks, for its plan, by the empty one. */
  const requests = new Map<string, { readonly request: InputRequest; readonly attempt: number }>();
  let end: Pick<RunView, "endedAt" | "outcome" | "reason"> = {};
  for (const { at, event } of events) {
    if (event.type === "input-required")
      requests.set(event.stepId ?? "", { request: event.request, attempt: event.attempt });
    if (event.stepId !== undefined) continue;
    if (event.type === "plan-update") {
      ({ approval } = event.plan);
      // What was run in place of the plan asked about has a name of its own.
      name = event.plan.name || name;
      // The word on the plan was given: it is told once more.
      requests.delete("");
      const known = new Map(steps.map((step) => [step.id, step]));
      steps = event.plan.steps.map(
        ({ id, kind, agent, dependsOn, form }) =>
          known.get(id) ?? {
            id,
            kind,
            agent,
            dependsOn,
            state: "pending",
            ...(form === undefined ? {} : { form }),
          },
      );
    } else if (event.type === "step-status") {
      const { step: id, state, reason, answered } = event;
      steps = steps.map((step) => {
        if (step.id !== id) return step;
        const { reason: _, ...rest } = step;
        return {
          ...rest,
          state,
          ...(reason === undefined ? {} : { reason }),
          ...(answered === undefined ? {} : { answers: [...(step.answers ?? []), answered] }),
        };
      });
    } else if (event.type === "finish") {
      const reason = event.error === undefined ? {} : { reason: event.error.message };
      end = { endedAt: at, outcome: event.outcome, ...reason };
    }
  }
  const asking = steps.filter((step) => step.state === "input_required").map((step) => step.id);
  const open = ["", ...asking].flatMap((step) => {
    const asked = requests.get(step);
    return asked ? [{ step, ...asked }] : [];
  });
  const going = record.name === "" ? "planning" : "running";
  const status = end.outcome ?? (open.length > 0 ? "input-required" : going);
  const word = approval === undefined ? {} : { approval };
  return { ...record, name, status, steps, ...word, requests: end.outcome === undefined ? open : [], ...end };
}
