import { toErrorInfo, type AgentProfile, type AgentRequest, type RunnableAgent } from "@troupe/core";
import { EVENT_VERSION, type AgentEvent, type InputReply } from "@troupe/stream";
import type { Workflow, WorkflowInput } from "@troupe/workflow";
import { stringify } from "yaml";

import { emptyResponse } from "./final-response.ts";
import { followRun } from "./follow-run.ts";
import type { Numbering } from "./numbered.ts";
import type { TaskInput } from "./orchestrator.ts";
import type { RunState } from "./state.ts";

export interface OrchestratorParts {
  readonly plan: (task: TaskInput, signal: AbortSignal) => Promise<Workflow>;
  readonly prepare: (workflow: WorkflowInput) => Promise<Workflow>;
  readonly begin: (task: TaskInput, workflow: Workflow, runId: string) => Promise<void>;
  readonly answer: (runId: string, reply: InputReply) => Promise<"accepted" | "duplicate" | "no-run">;
  readonly state: RunState;
}

const profile: AgentProfile = {
  name: "orchestrator",
  title: "Troupe orchestrator",
  description:
    "Plans a workflow for a task, runs it on specialist agents, and answers with sources and files.",
  version: "0.1.0",
  skills: [
    {
      id: "orchestrate",
      name: "Run a task on several agents",
      description: "Research in documents, figures from data, and presentations, in one request.",
      tags: ["orchestration", "workflow"],
      examples: [
        "Create a presentation about our AI strategy based on our documents, with the sales figures",
      ],
    },
  ],
};

/** Where a run was left when its turn ended. */
interface Bookmark {
  readonly position: number;
  readonly numbering: Numbering;
}

/**
 * The orchestrator as an agent. A request plans and runs; one with `metadata.workflow` runs that
 * workflow; one with `metadata.plan_only` answers with the plan; one with a reply goes on with the
 * run that asked.
 */
export function orchestratorAgent(parts: OrchestratorParts): RunnableAgent {
  const bookmarks = new Map<string, Bookmark>();
  return {
    profile,
    async *run(request, { signal }) {
      const { runId } = request;
      const mark = bookmarks.get(runId);
      const numbering: Numbering = mark?.numbering ?? { next: 0 };
      try {
        if (request.reply) await answered(parts, runId, request.reply);
        else {
          const workflow = await chooseWorkflow(parts, request, signal);
          if (request.metadata?.["plan_only"] === true) {
            yield* planOnly(workflow, runId, numbering);
            return;
          }
          await parts.begin(taskOf(request), workflow, runId);
        }
      } catch (error) {
        const canceled = signal.aborted;
        const head = {
          v: EVENT_VERSION,
          runId,
          seq: numbering.next++,
          attempt: 1,
          agent: profile.name,
        } as const;
        yield {
          ...head,
          type: "finish",
          outcome: canceled ? "canceled" : "failed",
          response: emptyResponse,
          answerItems: [],
          ...(canceled ? {} : { error: toErrorInfo(error) }),
        };
        return;
      }
      const from = mark?.position ?? (request.reply ? await parts.state.log.end(runId) : 0);
      const cancel = (): void => void parts.state.engine.cancel(runId, "canceled by the caller");
      if (signal.aborted) cancel();
      else signal.addEventListener("abort", cancel, { once: true });
      try {
        const position = yield* followRun({
          log: parts.state.log,
          runId,
          from,
          numbering,
          result: () => parts.state.engine.result(runId),
          signal: new AbortController().signal,
        });
        const view = await parts.state.log.view(runId);
        if (view?.outcome === undefined) bookmarks.set(runId, { position, numbering });
        else bookmarks.delete(runId);
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
  };
}

async function answered(parts: OrchestratorParts, runId: string, reply: InputReply): Promise<void> {
  const said = await parts.answer(runId, reply);
  if (said === "no-run") throw new Error(`run ${runId} is over`);
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
  const given = request.metadata?.["workflow"];
  if (given !== undefined) return parts.prepare(given as WorkflowInput);
  return parts.plan(taskOf(request), signal);
}

function* planOnly(workflow: Workflow, runId: string, numbering: Numbering): Generator<AgentEvent> {
  const head = () =>
    ({ v: EVENT_VERSION, runId, seq: numbering.next++, attempt: 1, agent: profile.name }) as const;
  const itemId = "plan";
  const content = stringify(workflow);
  yield { ...head(), type: "text-start", itemId, role: "answer" };
  yield { ...head(), type: "text-delta", itemId, delta: content };
  yield { ...head(), type: "text-end", itemId };
  yield {
    ...head(),
    type: "finish",
    outcome: "completed",
    response: { ...emptyResponse, is_task_complete: true, content },
    answerItems: [itemId],
  };
}
