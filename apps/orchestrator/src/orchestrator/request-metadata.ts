import { clip, describeIssues, InputError, type AgentRequest } from "@troupe/core";
import { NO_USAGE } from "@troupe/stream";
import { parseWorkflow, type Thread } from "@troupe/workflow";
import { z } from "zod";

/** What a message asks of the orchestrator beside its words. */
export interface RequestMetadata {
  /** The run to join. */
  readonly runId?: string;
  /** Answer with the plan, and run nothing. */
  readonly planOnly: boolean;
  /** With `planOnly`: earlier turns, instead of the recorded ones. */
  readonly conversation?: Thread;
  /** The run to do again, and the step to begin from where it is not the first that failed. */
  readonly retryOf?: string;
  readonly retryFrom?: string;
  /** The plan waits for a person's word before anything of it runs. */
  readonly approvePlan: boolean;
  /** The workflow to run instead of a plan, or a plain list of its steps; not checked yet. */
  readonly workflow?: unknown;
  /** The reply was taken already, by another door: the run is told on, and nothing answered. */
  readonly replyTaken: boolean;
  /** What the person used who answers, such as `cli`; kept with the answer, and no proof of anything. */
  readonly through?: string;
}

/**
 * What of it says what is asked. Not `through` and `reply_taken`, which say how a reply came: it is the same one,
 * whichever way it is sent again.
 */
export const ASKS_IN = [
  "run_id",
  "plan_only",
  "conversation",
  "approve_plan",
  "retry_of",
  "retry_from",
  "workflow",
];

/** Ids of runs and steps are far shorter. */
const MAX_ID = 200;

/** Reading YAML takes milliseconds for each kB, in which nobody else is served. In UTF-16 units. */
const MAX_WORKFLOW_TEXT = 65_536;

/** A word, as it is shown behind whoever answered. */
const THROUGH = /^[a-z][a-z0-9-]{0,31}$/;

/** Earlier turns for the planner: request, agents and answer. */
const turnsSchema = z
  .array(
    z.strictObject({
      request: z.string().min(1).max(10_000),
      answer: z.string().max(10_000),
      agents: z.array(z.string().min(1).max(200)).max(20).default([]),
    }),
  )
  .max(20);

/**
 * Reads `run_id`, `plan_only`, `conversation`, `approve_plan`, `retry_of`, `retry_from`, `workflow`, `reply_taken` and `through`; null is as good as none. Throws an `InputError` where one is
 * of another kind: whoever says `"plan_only": "yes"` does not want to see everything run.
 */
export function readMetadata(metadata: AgentRequest["metadata"] = {}): RequestMetadata {
  const {
    run_id,
    plan_only: planOnly,
    conversation,
    approve_plan: approvePlan,
    retry_of,
    retry_from,
    workflow,
    reply_taken: replyTaken,
    through,
  } = metadata;
  const quoted = (value: unknown): string => clip(JSON.stringify(value), 80);
  const idIn = (value: unknown, key: string, of: string): string | undefined => {
    if (value == null) return undefined;
    if (typeof value === "string" && value.length <= MAX_ID) return value;
    throw new InputError(
      "input.invalid",
      `metadata.${key} must be the id of a ${of}, a string of at most ${MAX_ID} characters, not ${quoted(value)}.`,
    );
  };
  const runId = idIn(run_id, "run_id", "run");
  const retryOf = idIn(retry_of, "retry_of", "run");
  const retryFrom = idIn(retry_from, "retry_from", "step");
  if (retryFrom !== undefined && retryOf === undefined)
    throw new InputError(
      "input.invalid",
      "metadata.retry_from needs metadata.retry_of, the run to do again.",
    );
  const besides = Object.entries({ plan_only: planOnly, approve_plan: approvePlan, workflow });
  const beside = besides.find(([, value]) => value != null && value !== false)?.[0];
  if (retryOf !== undefined && beside !== undefined)
    throw new InputError(
      "input.invalid",
      `metadata.retry_of does a run again by its own workflow, which is asked about again where nobody approved it; leave out ${beside}.`,
    );
  for (const [name, value] of Object.entries({
    plan_only: planOnly,
    approve_plan: approvePlan,
    reply_taken: replyTaken,
  }))
    if (value != null && typeof value !== "boolean")
      throw new InputError("input.invalid", `metadata.${name} must be true or false, not ${quoted(value)}.`);
  if (conversation != null && planOnly !== true)
    throw new InputError(
      "input.invalid",
      "metadata.conversation needs metadata.plan_only: what runs goes on with the conversation on record.",
    );
  if (through != null && (typeof through !== "string" || !THROUGH.test(through)))
    throw new InputError(
      "input.invalid",
      `metadata.through must be a word such as "cli" or "slack", not ${quoted(through)}.`,
    );
  return {
    planOnly: planOnly === true,
    approvePlan: approvePlan === true,
    replyTaken: replyTaken === true,
    ...(runId === undefined ? {} : { runId }),
    ...(retryOf === undefined ? {} : { retryOf }),
    ...(retryFrom === undefined ? {} : { retryFrom }),
    ...(typeof through === "string" ? { through } : {}),
    ...(workflow == null ? {} : { workflow: readWorkflow(workflow) }),
    ...(conversation == null ? {} : { conversation: readConversation(conversation) }),
  };
}

/** A thread of completed steps without their findings. */
function readConversation(value: unknown): Thread {
  const parsed = turnsSchema.safeParse(value);
  if (!parsed.success)
    throw new InputError(
      "input.invalid",
      `metadata.conversation must be a list of { request, answer, agents }: ${describeIssues(parsed.error, "conversation").join("; ")}`,
    );
  return parsed.data.map(({ request, answer, agents }, index) => {
    const turn = index + 1;
    const runId = `given-${turn}`;
    return {
      turn,
      runId,
      asked: request,
      status: "completed",
      answer,
      steps: agents.map((agent, at) => {
        const id = agents.length === 1 ? "answer" : `step-${at + 1}`;
        const name = `turn${turn}.${id}`;
        const provenance = { runId, attempt: 1, startedAt: 0, endedAt: 0 };
        const found = { outcome: "completed" as const, answer, data: null, citations: [], artifacts: [] };
        return {
          name,
          id,
          kind: "agent",
          agent,
          instruction: request,
          dependsOn: [],
          earlier: [],
          result: { stepId: name, agent, ...found, usage: NO_USAGE, provenance },
        };
      }),
    };
  });
}

/** Text is YAML or JSON. An object or a list of steps is validated later, with the agents there are. */
function readWorkflow(workflow: unknown): unknown {
  if (typeof workflow === "string" && workflow.length > MAX_WORKFLOW_TEXT)
    throw new InputError(
      "input.too-large",
      `metadata.workflow has ${workflow.length} characters of text; the limit is ${MAX_WORKFLOW_TEXT}. Send a longer workflow as an object.`,
    );
  if (typeof workflow === "string") return parseWorkflow(workflow, { file: "metadata.workflow" });
  if (typeof workflow === "object") return workflow;
  throw new InputError(
    "input.invalid",
    `metadata.workflow must be an object { version: 1, name, steps: [...] }, a list of steps, or either as YAML or JSON text, not ${clip(JSON.stringify(workflow), 80)}.`,
  );
}
