import { InputError } from "@troupe/core";
import type { RunView } from "@troupe/workflow";

import { answerTurn } from "../answer-turn.ts";
import type { CliContext } from "../context.ts";
import { BY_COMMAND, follow, joining, userOf, type FollowOptions, type KnownRun } from "../follow.ts";
import type { Verdict } from "../decide.ts";
import { laterStep } from "../../orchestrator/answer-run.ts";
import { findRun, requireOwn } from "../runs.ts";
import { useServers } from "../servers.ts";
import { typed } from "../typed.ts";

export interface AnswerOptions extends FollowOptions {
  /** Id of a run, or how one begins. */
  readonly run: string;
  /** Needed where several steps ask. */
  readonly step?: string;
  /** On what is asked now, where that is an approval. */
  readonly verdict?: Verdict;
}

/** Answers what a run asks a person, or what a step of it will, and follows the run from there to its end. */
export async function answer(context: CliContext, options: AnswerOptions, known: KnownRun): Promise<number> {
  await requireOwn(context, options.run);
  const servers = await useServers(context);
  try {
    const view = await findRun(servers.url, options.run, context.token);
    known.runId = view.runId;
    if (view.userId !== undefined) known.userId = view.userId;
    const asked = requestOf(context, view, options.step);
    const turn = { runId: view.runId, finish: undefined, requests: [asked] };
    const reply = await answerTurn(context, turn, { ...options, only: true });
    if (typeof reply === "number") return reply;
    // What was given answers this question; the next one nobody has seen.
    const rest = { ...options, inputs: new Map<string, string>() };
    const waits = view.requests.some(({ request }) => request.requestId === asked.request.requestId);
    if (!waits && options.quiet !== true)
      context.err(`Step "${asked.step}" does not ask yet: the answer is kept until it does.\n`);
    // The task of a run whose question is still to come is at work: the run is joined with the answer.
    const to = waits ? { taskId: view.runId, metadata: BY_COMMAND } : joining(known);
    return await follow(context, servers, { reply, ...to, ...userOf(known) }, rest, known);
  } finally {
    await servers.release();
  }
}

function requestOf(
  context: CliContext,
  view: RunView,
  step: string | undefined,
): RunView["requests"][number] {
  const { requests, runId } = view;
  const later = step === undefined ? undefined : laterStep(view, step);
  if (step !== undefined && later !== undefined) return { step, request: later, attempt: 1 };
  const [only, ...others] = step === undefined ? requests : requests.filter((asked) => asked.step === step);
  if (only !== undefined && others.length === 0) return only;
  const steps = requests.map((asked) => `"${asked.step}"`).join(", ");
  if (requests.length === 0 && (step === undefined || view.outcome !== undefined))
    throw new InputError("input.invalid", `Run ${runId} asks nothing: it is ${view.status}.`);
  throw new InputError(
    "input.invalid",
    step === undefined
      ? `Several steps of run ${runId} ask: ${steps}. Name one: ${typed(context, `answer ${runId} STEP`)}.`
      : `Step "${step}" of run ${runId} asks nothing. These do: ${steps === "" ? "none" : steps}.`,
  );
}
