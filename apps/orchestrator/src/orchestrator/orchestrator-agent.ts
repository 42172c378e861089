import {
  callerIn,
  InputError,
  ownerIn,
  type AgentRequest,
  type Caller,
  type CallerOptions,
  type Log,
  type RunnableAgent,
} from "@troupe/core";
import type { AgentEvent, ArtifactRef, InputReply } from "@troupe/stream";
import type { RunView, Workflow, WorkflowInput } from "@troupe/workflow";

import { createBookmarks } from "./bookmarks.ts";
import { followRun } from "./follow-run.ts";
import { interruptedEnd } from "./interruption.ts";
import { numbered, type Numbering } from "./numbered.ts";
import type { TaskInput } from "./orchestrator.ts";
import { planOnly, refused } from "./own-turn.ts";
import { profile } from "./profile.ts";
import { replyInWords } from "./reply-in-words.ts";
import { readMetadata } from "./request-metadata.ts";
import type { RunState } from "./state.ts";

export interface OrchestratorParts {
  readonly plan: (task: TaskInput, signal: AbortSignal, caller?: Caller) => Promise<Workflow>;
  readonly prepare: (workflow: WorkflowInput) => Promise<Workflow>;
  /** In the name of a caller, who was authenticated; what they may use is kept with the run. */
  readonly begin: (task: TaskInput, workflow: Workflow, runId: string, by?: CallerOptions) => Promise<void>;
  readonly answer: (runId: string, reply: InputReply) => Promise<"accepted" | "duplicate" | "no-run">;
  /** Where a file of this owner is now. */
  readonly locate: <T extends ArtifactRef>(file: T, owner: string) => Promise<T>;
  readonly state: RunState;
  readonly log: Log;
}

const CANCELED = "canceled by the caller";

/**
 * The orchestrator as an agent. A request plans and runs; one with `metadata.workflow` runs that
 * workflow; one with `metadata.plan_only` answers with the plan; one with a reply goes on with the
 * run that asked. One with `metadata.run_id` joins that run, whichever task began it: it is told from
 * its start, or goes on with the reply. So a run is reached again when its task is gone with the
 * process that knew it. Only whoever began a run joins it; to others it is not there.
 */
export function orchestratorAgent(parts: OrchestratorParts): RunnableAgent {
  const { state } = parts;
  const bookmarks = createBookmarks();
  /** The run of another task that the request joins; undefined where it names none. */
  const join = async ({ runId: own, metadata, userId }: AgentRequest): Promise<RunView | undefined> => {
    const { runId } = readMetadata(metadata);
    if (runId === undefined || runId === own) return undefined;
    const view = await state.log.view(runId);
    // Said the same of a run that is somebody else's: whether it exists is no business of theirs.
    if (view === null || view.userId !== userId)
      throw new InputError("input.not-found", `There is no run "${runId}".`);
    return view;
  };
  return {
    profile,
    async cancel(runId) {
      bookmarks.delete(runId);
      await state.engine.cancel(runId, CANCELED);
    },
    async *run(request, { signal }) {
      let { reply } = request;
      let joined: RunView | undefined;
      try {
        joined = await join(request);
      } catch (error) {
        // What that run asks is told to nobody else.
        const end = { error, numbering: { next: 0 }, canceled: signal.aborted };
        yield* refused(state, request.runId, { ...end, waits: false });
        return;
      }
      const { runId } = joined ?? request;
      const known = joined ?? (await state.log.view(runId));
      const open = known?.requests ?? [];
      // What was cut off may have come as far as its run, and an answer as far as that; words that
      // filled one form then must not fill the next.
      const { recovered = false } = request;
      const words = !recovered && reply === undefined && joined === undefined && open.length > 0;
      const begun = known !== null && (recovered || (reply === undefined && !words));
      const joins = begun || joined !== undefined;
      const end = joins || reply || words ? await state.log.end(runId) : 0;
      const again = begun || (joins && !reply);
      const mark = bookmarks.get(runId);
      const numbering: Numbering = again ? { next: 0 } : (mark?.numbering ?? { next: 0 });
      const from = again ? 0 : (mark?.position ?? end);
      try {
        if (words) reply = replyInWords(request.text, open);
        if (reply && begun) await answered(parts, runId, reply).catch(wasTaken);
        else if (reply) await answered(parts, runId, reply);
        else if (!joins) {
          const { planOnly: shown } = readMetadata(request.metadata);
          // Before it is planned, so that it can be seen whatever becomes of the plan.
          if (!shown) await state.log.begin(recordOf(request));
          const workflow = await chooseWorkflow(parts, request, signal);
          if (shown) {
            yield* planOnly(workflow, runId, numbering);
            return;
          }
          await parts.begin(taskOf(request), workflow, runId, askedBy(request));
        }
      } catch (error) {
        // Nothing is read any more when the process is about to end; its next start knows what to do.
        const planning = await state.log.view(runId).then(
          (view) => view?.status === "planning",
          () => false,
        );
        const waits = words || reply !== undefined;
        const stop = { error, numbering, canceled: signal.aborted, waits };
        for await (const event of refused(state, runId, stop)) {
          if (planning) state.log.append(runId, event.type, event);
          yield event;
        }
        return;
      }
      if (again) {
        const first = await firstEvent(state, runId, signal);
        // It ended before there was a plan: the engine never heard of it.
        if (first?.type === "finish") {
          yield numbered(first, numbering);
          return;
        }
      }
      const cancel = (): void => {
        state.engine.cancel(runId, CANCELED).catch((error: unknown) => {
          parts.log.warn("a run was not canceled", { runId, error });
        });
      };
      const left = new AbortController();
      const outcome = state.engine.result(runId, { signal: left.signal });
      // A run that cannot go on writes no end into its log.
      outcome.catch(() => left.abort());
      if (signal.aborted) cancel();
      else signal.addEventListener("abort", cancel, { once: true });
      try {
        const replies = new Set([...(mark?.answered ?? []), ...(reply ? [reply.requestId] : [])]);
        const turn = followRun({
          log: state.log,
          runId,
          from,
          ...(again ? { caughtUp: end } : {}),
          numbering,
          answered: replies,
          result: () => outcome,
          locate: (file) => parts.locate(file, ownerIn(request)),
          signal: left.signal,
          onWaiting: (position) => bookmarks.set(runId, { position, numbering, answered: replies }),
        });
        for await (const event of turn) {
          const over = event.type === "finish" && event.stepId === undefined;
          if (over && event.outcome !== "input-required") bookmarks.delete(runId);
          yield event;
        }
        if (left.signal.aborted) await outcome;
      } catch (error) {
        const stuck = state.engine.stuck(runId);
        const stands = stuck === undefined ? null : await state.log.view(runId);
        if (stands === null) throw error;
        yield interruptedEnd(stands, stuck, numbering.next++);
      } finally {
        signal.removeEventListener("abort", cancel);
        left.abort();
      }
    },
  };
}

async function answered(parts: OrchestratorParts, runId: string, reply: InputReply): Promise<void> {
  const said = await parts.answer(runId, reply);
  if (said === "no-run")
    throw new InputError("input.not-found", "The run is over, so there is nothing to answer any more.");
  // Another answer was first, by a moment. Whoever gave this one must not take it for theirs.
  if (said === "duplicate")
    throw new InputError(
      "input.unsupported",
      `"${reply.requestId}" has been answered already; this answer was not taken.`,
    );
}

/** An answer that arrived before the crash is not asked for any more; the run goes on with it. */
function wasTaken(error: unknown): void {
  if (!(error instanceof InputError)) throw error;
}

/** Waits for it: a run may still be planned. */
async function firstEvent(
  { log }: RunState,
  runId: string,
  signal: AbortSignal,
): Promise<AgentEvent | undefined> {
  for await (const { event } of log.read(runId, { from: 0, signal })) return event;
  return undefined;
}

/** In whose name and in which trace the agents of a run are called. */
function askedBy(request: AgentRequest): CallerOptions {
  const { trace } = request;
  const caller = callerIn(request);
  return { ...(caller === undefined ? {} : { caller }), ...(trace === undefined ? {} : { trace }) };
}

function recordOf({ runId, text, userId }: AgentRequest): Parameters<RunState["log"]["begin"]>[0] {
  return { runId, name: "", objective: text, ...(userId === undefined ? {} : { userId }) };
}

function taskOf(request: AgentRequest): TaskInput {
  return {
    description: request.text,
    ...(request.userId === undefined ? {} : { user_id: request.userId }),
    ...(request.collectionId === undefined ? {} : { collection_id: request.collectionId }),
  };
}

function chooseWorkflow(
  parts: OrchestratorParts,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<Workflow> {
  const { workflow } = readMetadata(request.metadata);
  if (workflow !== undefined) return parts.prepare(workflow);
  return parts.plan(taskOf(request), signal, callerIn(request));
}
