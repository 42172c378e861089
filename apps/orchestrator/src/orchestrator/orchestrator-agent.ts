import {
  callerIn,
  InputError,
  isImageFile,
  ownerIn,
  toErrorInfo,
  type AgentRequest,
  type Caller,
  type Log,
  type RunnableAgent,
  type UnreadFile,
} from "@troupe/core";
import type { ArtifactRef, ErrorInfo, InputReply } from "@troupe/stream";
import type { ReadThread, RunView, Thread, ThreadQuery, Workflow } from "@troupe/workflow";

import type { AnswerSource, AnswerTold } from "./answer-run.ts";
import { createBookmarks } from "./bookmarks.ts";
import { otherAnswer, whoseAnswer } from "./other-answer.ts";
import type { TaskInput } from "./task.ts";
import { cameToNothing, narrated, planOnly, refused } from "./own-turn.ts";
import type { OnWait } from "./plan-patiently.ts";
import { PlanningSum, type OnPlanning } from "./planning-sum.ts";
import { profile } from "./profile.ts";
import { replyInWords } from "./reply-in-words.ts";
import type { RetryOptions } from "./retry-run.ts";
import { ASKS_IN, readMetadata, type RequestMetadata } from "./request-metadata.ts";
import type { RunState } from "./state.ts";
import { threadQuery, type BegunBy } from "./task.ts";
import { CANCELED, tellRun } from "./tell-run.ts";
import { enterRun } from "./turn-entry.ts";

export interface OrchestratorParts {
  /** The turns before it of the conversation that a run would be a turn of, and its number; nothing outside of one. */
  readonly thread: (query: ThreadQuery | undefined) => Promise<Partial<ReadThread>>;
  readonly plan: (
    task: TaskInput,
    thread: Thread,
    options: {
      readonly signal: AbortSignal;
      readonly caller?: Caller;
      readonly unreadFiles?: readonly UnreadFile[];
      readonly images?: readonly ArtifactRef[];
      readonly onUsage?: OnPlanning;
      readonly onWait?: OnWait;
    },
  ) => Promise<Workflow>;
  /** Every plan waits for a person's word, whatever the request says. */
  readonly approvePlans?: boolean;
  /** Reads and checks a workflow; a plain list of steps is named after the description. */
  readonly prepare: (
    workflow: unknown,
    description: string,
    options?: { readonly signal?: AbortSignal; readonly mode?: Workflow["mode"] },
  ) => Promise<Workflow>;
  /** In the name of a caller, who was authenticated; what they may use is kept with the run. */
  readonly begin: (task: TaskInput, workflow: Workflow, runId: string, by?: BegunBy) => Promise<void>;
  readonly answer: (runId: string, reply: InputReply, source: AnswerSource) => Promise<AnswerTold>;
  /** Does a run again from a step on, in the name of the same. */
  readonly retry: (
    runId: string,
    options: Omit<RetryOptions, "locate" | "clock" | "checkPrices">,
  ) => Promise<void>;
  /** Where a file of this owner is now. */
  readonly locate: <T extends ArtifactRef>(file: T, owner: string) => Promise<T>;
  readonly state: RunState;
  readonly log: Log;
}

/**
 * The orchestrator as an agent. A request plans and runs; one with `metadata.workflow` runs that
 * workflow; one with `metadata.plan_only` answers with the plan; one with a reply goes on with the
 * run that asked. One with `metadata.run_id` joins that run, whichever task began it: it is told from
 * its start, or goes on with the reply. So a run is reached again when its task is gone with the
 * process that knew it. One with `metadata.retry_of` does that run again, from the step `retry_from`.
 * Only whoever began a run joins it or does it again; to others it is not there.
 */
export function orchestratorAgent(parts: OrchestratorParts): RunnableAgent {
  const { state } = parts;
  const bookmarks = createBookmarks();
  /** The run of another task that the request joins; undefined where it names none. */
  const join = async (
    { runId: own, userId }: AgentRequest,
    { runId = own }: RequestMetadata,
  ): Promise<RunView | undefined> => {
    if (runId !== own) return ownRun(state, runId, userId);
    if ((await state.log.view(own)) !== null) await ownRun(state, own, userId);
    return undefined;
  };
  return {
    profile,
    asksIn: ASKS_IN,
    async cancel(runId) {
      bookmarks.delete(runId);
      await state.engine.cancel(runId, CANCELED);
    },
    async *run(request, { signal }) {
      let asks: RequestMetadata;
      let joined: RunView | undefined;
      try {
        asks = readMetadata(request.metadata);
        joined = await join(request, asks);
      } catch (error) {
        // What that run asks is told to nobody else.
        const end = { error, from: 0, canceled: signal.aborted };
        yield* refused(state, request.runId, { ...end, waits: false });
        return;
      }
      let entry = await enterRun({ state, bookmarks }, request, joined);
      const { runId, asked, from } = entry;
      let { reply } = request;
      let shown: Workflow | undefined;
      const planning = new PlanningSum();
      const whose = { userId: request.userId, through: asks.through };
      let toldOn = asks.replyTaken;
      let notTaken: ErrorInfo | undefined;
      try {
        if (asked) reply = replyInWords(request.text, asked);
        if (asks.replyTaken) await ownRun(state, runId, request.userId);
        else if (reply && entry.cutOff) await answered(parts, runId, reply, whose).catch(wasTaken);
        else if (reply) await answered(parts, runId, reply, whose);
        else if (!entry.joins)
          shown = yield* narrated(runId, (onWait) =>
            begun(parts, { request, asks }, signal, { planning, onWait }),
          );
      } catch (error) {
        const waits = asked !== undefined || reply !== undefined;
        // Of the run itself nothing is said by that: what it does next is told, and a cancel has to reach it.
        const goesOn = waits && (signal.aborted || (await isPastAsking(state, request, joined)));
        if (!goesOn) {
          const end = { error, from, canceled: signal.aborted, waits, ...planning.told };
          yield* cameToNothing(state, runId, end);
          return;
        }
        toldOn = true;
        if (!signal.aborted) notTaken = toErrorInfo(error);
      }
      // One that is canceled is followed to that end.
      const asksOn = entry.nothingNew && !signal.aborted;
      if (toldOn ? bookmarks.get(runId) === undefined : asksOn)
        entry = { ...entry, toldAgain: await state.log.end(runId), from: 0 };
      if (shown) {
        yield* planOnly(shown, runId, planning.told);
        return;
      }
      yield* tellRun(entry, {
        state,
        bookmarks,
        log: parts.log,
        answers: reply?.requestId,
        notTaken,
        locate: (file) => parts.locate(file, ownerIn(request)),
        signal,
      });
    },
  };
}

/** Begins the run of a request. The workflow where it is only to be shown; nothing runs then. */
async function begun(
  parts: OrchestratorParts,
  { request, asks }: { readonly request: AgentRequest; readonly asks: RequestMetadata },
  signal: AbortSignal,
  { planning, onWait }: { readonly planning: PlanningSum; readonly onWait: OnWait },
): Promise<Workflow | undefined> {
  const { planOnly: shown, approvePlan, workflow: given, retryOf, retryFrom } = asks;
  if (retryOf !== undefined) {
    await ownRun(parts.state, retryOf, request.userId);
    const from = retryFrom === undefined ? {} : { from: retryFrom };
    await parts.retry(retryOf, { ...askedBy(request), ...from, newRunId: request.runId });
    return undefined;
  }
  // Before it is planned, so that it can be seen whatever becomes of the plan.
  if (!shown) await parts.state.log.begin(recordOf(request));
  const by = askedBy(request);
  const { delegation, unreadFiles = delegation?.unreadFiles } = request;
  const images = [...(request.files ?? []).filter(isImageFile), ...(delegation?.images ?? [])];
  const handed = {
    ...(unreadFiles === undefined ? {} : { unreadFiles }),
    ...(images.length === 0 ? {} : { images }),
  };
  const task = taskOf(request);
  const before = await parts.thread(threadQuery(task, by, request.runId));
  const { caller } = by;
  const onUsage: OnPlanning = (one) => planning.add(one);
  const workflow = given
    ? await parts.prepare(given, request.text, { signal })
    : await parts.plan(task, before.thread ?? [], {
        signal,
        onUsage,
        onWait,
        ...handed,
        ...(caller === undefined ? {} : { caller }),
      });
  if (shown) return workflow;
  await parts.begin(task, workflow, request.runId, {
    ...by,
    ...before,
    ...planning.told,
    ...handed,
    ...(delegation === undefined ? {} : { limits: delegation.limits }),
    ...(delegation?.depth === undefined ? {} : { depth: delegation.depth }),
    // Whoever hands in a workflow has decided on it.
    approve: approvePlan || (parts.approvePlans === true && given === undefined),
  });
  return undefined;
}

/** Whether the run of this very task was answered another way: the task would fail for good, and miss its result. */
async function isPastAsking(
  { log }: RunState,
  { runId }: AgentRequest,
  joined: RunView | undefined,
): Promise<boolean> {
  if (joined !== undefined) return false;
  return (await log.view(runId))?.requests.length === 0;
}

async function ownRun({ log }: RunState, runId: string, userId: string | undefined): Promise<RunView> {
  const view = await log.view(runId);
  // Said the same of a run that is somebody else's: whether it exists is no business of theirs.
  if (view === null || view.userId !== userId)
    throw new InputError("input.not-found", `There is no run "${runId}".`);
  return view;
}

async function answered(
  parts: OrchestratorParts,
  runId: string,
  reply: InputReply,
  { userId, through = "a2a" }: { readonly userId: string | undefined; readonly through: string | undefined },
): Promise<void> {
  const said = await parts.answer(runId, reply, {
    ...(userId === undefined ? {} : { user: userId }),
    through,
  });
  if (said === "no-run")
    throw new InputError("input.not-found", "The run is over, so there is nothing to answer any more.");
  if (said === "duplicate")
    throw otherAnswer(reply.requestId, await whoseAnswer(parts.state, runId, reply.requestId));
}

/** An answer that arrived before the crash is not asked for any more; the run goes on with it. */
function wasTaken(error: unknown): void {
  if (!(error instanceof InputError)) throw error;
}

/** In whose name and in which trace the agents of a run are called, and the conversation it is a turn of. */
function askedBy(request: AgentRequest): BegunBy {
  const { trace, contextId } = request;
  const caller = callerIn(request);
  return {
    ...(caller === undefined ? {} : { caller }),
    ...(trace === undefined ? {} : { trace }),
    ...(contextId === undefined ? {} : { threadId: contextId }),
  };
}

function recordOf({ runId, text, userId, contextId }: AgentRequest): Parameters<RunState["log"]["begin"]>[0] {
  return {
    runId,
    name: "",
    objective: text,
    ...(userId === undefined ? {} : { userId }),
    ...(contextId === undefined ? {} : { threadId: contextId }),
  };
}

function taskOf(request: AgentRequest): Exclude<TaskInput, string> {
  return {
    description: request.text,
    ...(request.userId === undefined ? {} : { user_id: request.userId }),
    ...(request.collectionId === undefined ? {} : { collection_id: request.collectionId }),
  };
}
