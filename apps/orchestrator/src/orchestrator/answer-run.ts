import { createHash } from "node:crypto";

import { InputError } from "@troupe/core";
import type { Clock, Decision, InputReply, InputRequest, Json } from "@troupe/stream";
import {
  answerSignal,
  answerValue,
  checkReply,
  humanRequestId,
  planIn,
  readAnswer,
  type DagSpec,
  type RecordedRun,
  type RunView,
} from "@troupe/workflow";

import { invalid } from "./invalid.ts";
import { firstAnswer, isAnswer } from "./other-answer.ts";
import type { RunState } from "./state.ts";

/** Whom an answer is from, and which way it came. */
export interface AnswerSource {
  /** Who was authenticated, or whom the message names; absent where nobody is asked who they are. */
  readonly user?: string;
  /** `library` when left out. */
  readonly through?: string;
}

export type AnswerTold = "accepted" | "duplicate" | "no-run";

export interface AnsweringParts {
  readonly state: RunState;
  readonly clock: Clock;
  /** A workflow that is handed in for the plan or the added steps that were asked about; throws an `InputError` where it cannot run. */
  readonly specOf: (workflow: Json, view: RunView, requestId: string) => Promise<DagSpec>;
}

/**
 * Answers what a run asks, or what a human step of it will ask: such an answer is kept until the step's turn.
 * Every door ends here, and in the same signal. What has its answer is told so for as long as that is on record,
 * also once the run is over: whoever did not hear that theirs was taken gives it again. Throws an `InputError` when
 * the run asks no such thing and when the answer does not fit.
 */
export async function answerRun(
  { state, clock, specOf }: AnsweringParts,
  runId: string,
  reply: InputReply,
  { user, through = "library" }: AnswerSource = {},
): Promise<AnswerTold> {
  const view = await state.log.view(runId);
  if (view === null) return "no-run";
  const request = requestOf(view, reply.requestId);
  if (request === undefined) {
    const told = await toldOfFirst(state, runId, reply);
    if (told === undefined && view.outcome === undefined) throw notAsked(view, reply.requestId);
    return told ?? "no-run";
  }
  const checked = checkReply(request, { ...reply });
  if (!checked.ok) throw invalid(checked.issues);
  const edit = planIn(request) && editOf(checked.reply);
  const spec = edit && (await specOf(edit.arguments, view, reply.requestId));
  if (spec) checkEarlyAnswers(spec, (await state.engine.recorded(runId))?.signals);
  const answered = { ...(user === undefined ? {} : { by: user }), at: clock.now(), through };
  const told = await state.engine.signal(
    runId,
    answerSignal(reply.requestId),
    answerValue(checked.reply, answered, spec),
    // The same answer again is taken for one; another answer to the same is a duplicate.
    { idempotencyKey: createHash("sha256").update(JSON.stringify(checked.reply)).digest("hex") },
  );
  // It may have ended just now, with the answer that was first.
  return told === "no-run" ? ((await toldOfFirst(state, runId, reply)) ?? told) : told;
}

/** What is told of an answer to what has one; undefined where none is on record. */
async function toldOfFirst(
  state: RunState,
  runId: string,
  reply: InputReply,
): Promise<AnswerTold | undefined> {
  const first = await firstAnswer(state, runId, reply.requestId);
  if (first === undefined) return undefined;
  return (await isAnswer(state, runId, { reply, first })) ? "accepted" : "duplicate";
}

/** The human step whose turn has not come and that will ask this. */
export function laterStep(view: Pick<RunView, "steps">, requestId: string): InputRequest | undefined {
  const step = view.steps.find(({ id }) => humanRequestId(id) === requestId);
  if (step?.form === undefined || step.state !== "pending") return undefined;
  return { requestId, kind: "form", form: step.form };
}

/** What people answered before it was asked stands: no plan may take its place that asks another thing by that name. */
function checkEarlyAnswers({ steps }: DagSpec, signals: RecordedRun["signals"] = new Map()): void {
  const issues = steps.flatMap(({ id, form }) => {
    const requestId = humanRequestId(id);
    const given = signals.get(answerSignal(requestId));
    if (form === undefined || given === undefined) return [];
    const checked = checkReply({ requestId, kind: "form", form }, readAnswer(given).reply);
    return checked.ok
      ? []
      : [
          `step "${id}" is answered already, and the answer does not fit its form here (${checked.issues.join("; ")}): keep the form, or name the step otherwise`,
        ];
  });
  if (issues.length > 0) throw invalid(issues);
}

function editOf(reply: InputReply): Extract<Decision, { readonly type: "edit" }> | undefined {
  const [decision] = "decisions" in reply ? reply.decisions : [];
  return decision?.type === "edit" ? decision : undefined;
}

/** What the run asks now, or will ask; undefined for anything else, and once it is over. */
function requestOf(view: RunView, requestId: string): InputRequest | undefined {
  if (view.outcome !== undefined) return undefined;
  const asked = view.requests.find(({ request }) => request.requestId === requestId)?.request;
  return asked ?? laterStep(view, requestId);
}

function notAsked(view: RunView, requestId: string): InputError {
  const open = view.requests.map((one) => `"${one.request.requestId}"`).join(", ");
  return new InputError(
    "input.invalid",
    `Run "${view.runId}" does not ask "${requestId}", or no more. It asks: ${open === "" ? "nothing" : open}.${untold(view, requestId)}`,
  );
}

/** Why it is not asked, where that is known of its step. */
function untold({ steps }: RunView, requestId: string): string {
  const [id] = requestId.split("#", 1);
  const step = steps.find((one) => one.id === id);
  if (step === undefined) return "";
  if (step.state === "pending" && step.kind === "agent")
    return ` What agent "${step.agent}" will ask in step "${step.id}" is not known before it does.`;
  return step.state === "failed" && step.reason !== undefined
    ? ` Step "${step.id}" failed: ${step.reason}.`
    : "";
}
