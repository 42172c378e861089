import { AgentError, isTroupeError, type AgentEntry, type Model, type ModelRequest } from "@troupe/core";
import { addUsage, NO_USAGE, type Usage } from "@troupe/stream";

import { WorkflowError } from "../engine/workflow-error.ts";
import { assertWorkflow } from "../schema/normalize.ts";
import { parseWorkflow } from "../schema/parse.ts";
import { workflowSchema, type Workflow } from "../schema/workflow-schema.ts";
import { singleAgentFor, singleStep } from "./plan-by-rules.ts";
import { plannerRequest } from "./planner-prompt.ts";

export interface PlanOptions {
  readonly task: string;
  /** Whom the plan may use; agents that are down are named to the planner, but in no plan. */
  readonly agents: readonly AgentEntry[];
  readonly model: Model;
  readonly signal: AbortSignal;
}

export interface PlannedWorkflow {
  readonly workflow: Workflow;
  /** `direct`: one agent clearly does it, no model was asked. */
  readonly by: "direct" | "planner";
  readonly usage: Usage;
}

/**
 * From a request to a validated workflow. A plan that breaks a rule is repaired once with the
 * error's text. Throws a `WorkflowError` (`workflow.no-agent` with the reason,
 * `workflow.plan-invalid`), `agent.unreachable` when it takes an agent that is down or all are, or the model's
 * `ModelError`.
 */
export async function planWorkflow(options: PlanOptions): Promise<PlannedWorkflow> {
  const { task, model, signal } = options;
  const agents = options.agents.filter((agent) => agent.status === "up");
  const down = options.agents.filter((agent) => agent.status === "down");
  if (agents.length === 0) throw nobody(down);
  const single = singleAgentFor(task, options.agents);
  if (single?.status === "down") throw unreachable(single);
  if (single) {
    const workflow = workflowSchema.parse(singleStep(task, single));
    return { workflow, by: "direct", usage: NO_USAGE };
  }
  const request = plannerRequest(task, options.agents);
  const names = agents.map((agent) => agent.name);
  const first = await ask(model, request, signal);
  const plan = readPlan(first.text, names, down);
  if (plan.ok) return { workflow: plan.workflow, by: "planner", usage: first.usage };
  const repair: ModelRequest = {
    ...request,
    messages: [
      ...request.messages,
      { role: "assistant", text: first.text, toolCalls: [] },
      {
        role: "user",
        text: `This plan cannot be run:\n${plan.error}\nWrite the whole plan again without that error.`,
      },
    ],
  };
  const second = await ask(model, repair, signal);
  const repaired = readPlan(second.text, names, down);
  if (repaired.ok)
    return { workflow: repaired.workflow, by: "planner", usage: addUsage(first.usage, second.usage) };
  throw new WorkflowError(
    "workflow.plan-invalid",
    `model "${model.id}" wrote no plan that can be run, also after one correction: ${repaired.error}`,
  );
}

async function ask(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly usage: Usage }> {
  let text = "";
  let usage = NO_USAGE;
  for await (const event of model.stream(request, { signal })) {
    if (event.type === "text-delta") text += event.text;
    else if (event.type === "usage") usage = addUsage(usage, event.usage);
  }
  return { text, usage };
}

type ReadPlan =
  | { readonly ok: true; readonly workflow: Workflow }
  | { readonly ok: false; readonly error: string };

function readPlan(text: string, names: readonly string[], down: readonly AgentEntry[]): ReadPlan {
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { ok: false, error: `it is not JSON: ${(error as Error).message}` };
  }
  const { refusal, needs, ...plan } = value as { readonly refusal?: unknown; readonly needs?: unknown };
  const missing = down.find(({ name }) => name === needs);
  if (missing) throw unreachable(missing);
  if (typeof refusal === "string" && refusal.trim() !== "") {
    throw new WorkflowError("workflow.no-agent", `No agent fits this task: ${refusal.trim()}`);
  }
  try {
    const workflow = parseWorkflow(JSON.stringify(plan), { format: "json", file: "the plan" });
    assertWorkflow(workflow, names, { file: "the plan" });
    return { ok: true, workflow };
  } catch (error) {
    if (isTroupeError(error)) return { ok: false, error: error.message };
    throw error;
  }
}

const unreachable = (agent: AgentEntry): AgentError =>
  notReached(`The task is for an agent that cannot do it now: ${states([agent])}.`);

const notReached = (message: string): AgentError =>
  new AgentError("agent.unreachable", message, { retryable: true });

function nobody(down: readonly AgentEntry[]): AgentError | WorkflowError {
  return down.length === 0
    ? new WorkflowError("workflow.no-agent", "No agent is registered; register one first.")
    : notReached(`No agent can do this now: ${states(down)}.`);
}

/** What they have in common, such as a key that is not accepted, is said once. */
function states(down: readonly AgentEntry[]): string {
  const byReason = Map.groupBy(down, ({ reason = "" }) => reason);
  return [...byReason]
    .map(([reason, agents]) => {
      const names = agents.map(({ name }) => name).join(", ");
      return `${names} ${agents.length === 1 ? "is" : "are"} down${reason === "" ? "" : ` (${reason})`}`;
    })
    .join("; ");
}
