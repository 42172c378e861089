import type { JsonObject } from "@troupe/stream";

import { planRequest, revisionRequestId } from "../engine/plan-request.ts";
import type { Pending } from "../engine/port.ts";
import type { Revision } from "../engine/run.ts";
import type { DagSpec, DagStep } from "../schema/spec.ts";
import type { StepHost } from "./host.ts";
import { askPerson, type AskedEnd } from "./steps/ask-person.ts";

export interface StepsApproval {
  /** The plan so far. */
  readonly spec: DagSpec;
  readonly revision: Revision;
  /** Number of the revised plan: 2 after the first revision. */
  readonly number: number;
  /** Waits for one thing, what stops the run included. */
  readonly turn: () => Promise<void>;
  readonly stopped: () => boolean;
}

/**
 * Asks a person about added steps if the run's plan needed approval: the person approves, replaces or rejects them.
 * If they are rejected or no one answers in time, the revision has no steps and the run continues with its answer.
 * Undefined if the run was stopped in the meantime.
 */
export async function approveSteps(host: StepHost, o: StepsApproval): Promise<Revision | undefined> {
  const { spec, revision } = o;
  const { approval } = host.input;
  if (approval === undefined) return revision;
  const { expiresMs } = approval;
  const asked: { end?: AskedEnd } = {};
  const open = new Set<Pending>();
  const requestId = revisionRequestId(o.number);
  askPerson(host, {
    request: planRequest({ ...spec, steps: revision.steps }, asWorkflow(spec, revision.steps), requestId),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    hold: (pending, on) => {
      open.add(pending);
      host.watch(pending, (settled) => {
        open.delete(pending);
        on(settled);
      });
    },
    on: (end) => {
      asked.end = end;
    },
  });
  while (asked.end === undefined && !o.stopped()) await o.turn();
  const { end } = asked;
  if (end === undefined) {
    for (const pending of open) host.drop(pending);
    return undefined;
  }
  return wordOn(revision, end, { requestId, at: host.lastAt, through: "signal" });
}

function wordOn(
  { reason, steps }: Revision,
  end: AskedEnd,
  unnamed: NonNullable<Revision["approved"]>,
): Revision {
  const refused = (why: string): Revision => ({ reason, steps: [], refused: why });
  if (!end.ok) return refused(end.error.message);
  const [decision] = "decisions" in end.reply ? end.reply.decisions : [];
  const approved = end.answered ?? unnamed;
  if (decision?.type === "approve") return { reason, steps, approved };
  if (decision?.type === "edit" && end.spec) return { reason, steps: end.spec.steps, approved };
  const why = decision?.type === "reject" ? decision.reason : "";
  return refused(`a person rejected them${why === "" ? "" : `: ${why}`}`);
}

/** Planned steps as a workflow file; normalizing it again fills in the same defaults. */
function asWorkflow({ name }: DagSpec, steps: readonly DagStep[]): JsonObject {
  return {
    version: 1,
    name,
    mode: "parallel",
    steps: steps.map(({ id, agent, instruction, dependsOn, expectedOutput }) => ({
      id,
      agent,
      instruction,
      depends_on: [...dependsOn],
      expected_output: expectedOutput,
    })),
    final: "synthesize",
  };
}
