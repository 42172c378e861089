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
import type { ArtifactRef, InputReply } from "@troupe/stream";
import type { RunView, Workflow, WorkflowInput } from "@troupe/workflow";

import { createBookmarks } from "./bookmarks.ts";
import type { TaskInput } from "./orchestrator.ts";
import { cameToNothing, planOnly, refused } from "./own-turn.ts";
import { profile } from "./profile.ts";
import { replyInWords } from "./reply-in-words.ts";
import { readMetadata } from "./request-metadata.ts";
import type { RunState } from "./state.ts";
import { CANCELED, tellRun } from "./tell-run.ts";
import { enterRun } from "./turn-entry.ts";

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
      let joined: RunView | undefined;
      try {
        joined = await join(request);
      } catch (error) {
        // What that run asks is told to nobody else.
        const end = { error, numbering: { next: 0 }, canceled: signal.aborted };
        yield* refused(state, request.runId, { ...end, waits: false });
        return;
      }
      const entry = await enterRun({ state, bookmarks }, request, joined);
      const { runId, asked, numbering } = entry;
      let { reply } = request;
      let shown: Workflow | undefined;
      try {
        if (asked) reply = replyInWords(request.text, asked);
        if (reply && entry.cutOff) await answered(parts, runId, reply).catch(wasTaken);
        else if (reply) await answered(parts, runId, reply);
        else if (!entry.joins) shown = await begun(parts, request, signal);
      } catch (error) {
        const waits = asked !== undefined || reply !== undefined;
        yield* cameToNothing(state, runId, { error, numbering, canceled: signal.aborted, waits });
        return;
      }
      if (shown) {
        yield* planOnly(shown, runId, numbering);
        return;
      }
      yield* tellRun(entry, {
        state,
        bookmarks,
        log: parts.log,
        answers: reply?.requestId,
        locate: (file) => parts.locate(file, ownerIn(request)),
        signal,
      });
    },
  };
}

/** Begins the run of a request. The workflow where it is only to be shown; nothing runs then. */
async function begun(
  parts: OrchestratorParts,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<Workflow | undefined> {
  const { planOnly: shown } = readMetadata(request.metadata);
  // Before it is planned, so that it can be seen whatever becomes of the plan.
  if (!shown) await parts.state.log.begin(recordOf(request));
  const workflow = await chooseWorkflow(parts, request, signal);
  if (shown) return workflow;
  await parts.begin(taskOf(request), workflow, request.runId, askedBy(request));
  return undefined;
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
