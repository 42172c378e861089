import { clip, todayAt, type AgentEntry, type Model, type ModelRequest, type UnreadFile } from "@troupe/core";
import { addUsage, NO_USAGE, type ArtifactRef, type Usage } from "@troupe/stream";

import { WorkflowError } from "../engine/workflow-error.ts";
import { MAX_WORKFLOW_CHARS } from "../schema/parse.ts";
import { workflowSchema, type Workflow } from "../schema/workflow-schema.ts";
import type { Thread } from "../thread/thread.ts";
import { awayOf, lacking, nobody } from "./away-agents.ts";
import { plannerRequest } from "./planner-prompt.ts";
import { MAX_NAME, readPlan, type PlanContext, type ReadPlan } from "./read-plan.ts";

export interface PlanOptions {
  readonly task: string;
  /** Agents a plan may use; those that are down are named to the planner, but in no plan. */
  readonly agents: readonly AgentEntry[];
  /** Agents that the caller may not use: named to the planner like those that are down, so that a refusal says so. */
  readonly forbidden?: readonly AgentEntry[];
  readonly model: Model;
  /** Plans when the model's plan and its one correction are both invalid. */
  readonly fallback?: Model;
  /** The turns of the conversation before it. */
  readonly thread?: Thread;
  readonly unreadFiles?: readonly UnreadFile[];
  /** Images that came with the request; the planner is told their names. */
  readonly images?: readonly ArtifactRef[];
  /** Overviews of the agents' data by agent name, see `RunnableAgent.overview`. */
  readonly holds?: ReadonlyMap<string, string>;
  /** The current time, from which the planner is told the date; milliseconds since 1970. */
  readonly now?: number;
  readonly signal: AbortSignal;
  /** Called after each call of a model, also if its plan is not used. */
  readonly onUsage?: (usage: Usage) => void;
}

export interface PlannedWorkflow {
  readonly workflow: Workflow;
  /** `direct`: sent to the only agent, no model was called. `fallback`: the model's plans were invalid. */
  readonly by: "direct" | "planner" | "fallback";
  /** With `fallback`: what was wrong with the model's last plan. */
  readonly reason?: string;
  readonly usage: Usage;
}

/** The model may correct one refusal and one plan that breaks a rule. */
const MAX_REFUSALS = 2;
const MAX_INVALID = 2;
const ASK_AGAIN =
  "You plan; the agents look it up. If it is only to be found out, or made by one of them, plan it. " +
  "If it takes what none of them does, such as sending, booking or programming, or asks for nothing, as thanks do, " +
  "refuse again.";

/**
 * From a request to a validated workflow. The model plans; only the first request of a conversation goes to the
 * agent as it is where exactly one agent is registered. A plan that breaks a rule is sent back once with the error's
 * text, and a refusal is questioned once. Throws a `WorkflowError` (`workflow.no-agent` with the reason, `workflow.plan-invalid`),
 * `agent.unreachable` when it takes an agent that is down or all are, `agent.forbidden` when it takes one that may not be
 * used, or the model's `ModelError`.
 */
export async function planWorkflow(options: PlanOptions): Promise<PlannedWorkflow> {
  const { task, model, fallback, thread = [], forbidden = [] } = options;
  const agents = options.agents.filter((agent) => agent.status === "up");
  const away = awayOf(options);
  if (agents.length === 0) throw nobody(away);
  const [only] = agents;
  if (only !== undefined && options.agents.length + forbidden.length === 1 && thread.length === 0)
    return { workflow: singleStep(task, only), by: "direct", usage: NO_USAGE };
  const request = plannerRequest(task, [...agents, ...away], {
    thread,
    ...(options.unreadFiles === undefined ? {} : { unreadFiles: options.unreadFiles }),
    ...(options.images === undefined ? {} : { images: options.images }),
    ...(options.holds === undefined ? {} : { holds: options.holds }),
    ...(options.now === undefined ? {} : { today: todayAt(options.now) }),
  });
  const context: PlanContext = { task, agents, thread };
  let messages = request.messages;
  let usage = NO_USAGE;
  let refusals = 0;
  let invalid = 0;
  for (;;) {
    const answer = await ask(model, { ...request, messages }, options);
    usage = addUsage(usage, answer.usage);
    const plan = readPlan(answer.text, context);
    if (plan.kind === "plan") return { workflow: plan.workflow, by: "planner", usage };
    if (plan.kind === "refusal") {
      const missing = away.find(({ name }) => name === plan.needs);
      if (missing !== undefined) throw lacking(missing);
      if (++refusals === MAX_REFUSALS)
        throw new WorkflowError("workflow.no-agent", `No agent fits this task: ${plan.reason}`);
    }
    if (plan.kind === "invalid" && ++invalid === MAX_INVALID) {
      if (fallback === undefined) throw planInvalid(model, plan.error);
      const other = await ask(fallback, request, options);
      const planned = readPlan(other.text, context);
      if (planned.kind !== "plan") throw planInvalid(model, plan.error);
      return {
        workflow: planned.workflow,
        by: "fallback",
        reason: plan.error,
        usage: addUsage(usage, other.usage),
      };
    }
    messages = [...messages, ...replyTo(answer.text, plan, context)];
  }
}

function planInvalid(model: Model, error: string): WorkflowError {
  return new WorkflowError(
    "workflow.plan-invalid",
    `model "${model.id}" wrote no plan that can be run, also after one correction: ${error}`,
  );
}

function replyTo(
  text: string,
  plan: Exclude<ReadPlan, { kind: "plan" }>,
  context: PlanContext,
): ModelRequest["messages"] {
  const reply =
    plan.kind === "refusal"
      ? ASK_AGAIN
      : `This plan cannot be run:\n${plan.error}\nWrite the whole plan again without that error, in this form:\n${exampleOf(context)}`;
  return [
    // Providers refuse an assistant message without text.
    ...(text.trim() === "" ? [] : [{ role: "assistant" as const, text, toolCalls: [] }]),
    { role: "user", text: reply },
  ];
}

/** A valid plan with one step for each of the first two agents. */
function exampleOf({ agents, thread }: PlanContext): string {
  const steps = agents.slice(0, 2).map(({ name }, at) => ({
    id: `step-${at + 1}`,
    agent: name,
    instruction: `What ${name} is to find out or make, in full.`,
    depends_on: [],
    expected_output: "What the step hands back.",
    ...(thread.length === 0 ? {} : { earlier: [] }),
  }));
  const final = steps.length === 1 ? "passthrough" : "synthesize";
  return JSON.stringify({ name: "Name of the plan", steps, final, refusal: "", needs: "" });
}

/** The unchanged task, for the only agent. */
function singleStep(task: string, agent: AgentEntry): Workflow {
  return workflowSchema.parse({
    version: 1,
    name: clip(task, MAX_NAME),
    mode: "parallel",
    steps: [{ id: "answer", agent: agent.name, instruction: task, depends_on: [] }],
    final: "passthrough",
  });
}

async function ask(
  model: Model,
  request: ModelRequest,
  { signal, onUsage }: PlanOptions,
): Promise<{ readonly text: string; readonly usage: Usage }> {
  let text = "";
  let usage = NO_USAGE;
  try {
    for await (const event of model.stream(request, { signal })) {
      // Longer than any plan, so it is not one; the usage still counts.
      if (event.type === "text-delta" && text.length <= MAX_WORKFLOW_CHARS) text += event.text;
      else if (event.type === "usage") usage = addUsage(usage, event.usage);
    }
  } finally {
    if (usage !== NO_USAGE) onUsage?.(usage);
  }
  return { text, usage };
}
