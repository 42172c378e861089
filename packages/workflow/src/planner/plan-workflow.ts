import {
  findObjects,
  isTroupeError,
  type AgentEntry,
  type Model,
  type ModelRequest,
  type UnreadFile,
} from "@troupe/core";
import { followUpIn, refersBack } from "@troupe/core/request";
import { addUsage, isTooDeep, NO_USAGE, type Usage } from "@troupe/stream";

import { WorkflowError } from "../engine/workflow-error.ts";
import { assertWorkflow, normalizeWorkflow } from "../schema/normalize.ts";
import { MAX_WORKFLOW_CHARS, parseWorkflow } from "../schema/parse.ts";
import { workflowSchema, type Workflow } from "../schema/workflow-schema.ts";
import { earlierContext } from "../thread/earlier-context.ts";
import type { Thread } from "../thread/thread.ts";
import { awayOf, lacking, nobody, type AwayAgent } from "./away-agents.ts";
import { singleAgentFor, singleStep } from "./plan-by-rules.ts";
import { assertNothingTwice } from "./nothing-twice.ts";
import { plannerRequest } from "./planner-prompt.ts";

export interface PlanOptions {
  readonly task: string;
  /** Whom the plan may use; agents that are down are named to the planner, but in no plan. */
  readonly agents: readonly AgentEntry[];
  /** Those that whoever asks may not use: named to the planner like those that are down, so that a refusal says so. */
  readonly forbidden?: readonly AgentEntry[];
  readonly model: Model;
  /** The turns of the conversation before it. */
  readonly thread?: Thread;
  readonly unreadFiles?: readonly UnreadFile[];
  readonly signal: AbortSignal;
  /** Told of each call of the model, also where no plan comes of it. */
  readonly onUsage?: (usage: Usage) => void;
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
 * `workflow.plan-invalid`), `agent.unreachable` when it takes an agent that is down or all are, `agent.forbidden`
 * when it takes one that may not be used, or the model's `ModelError`.
 */
export async function planWorkflow(options: PlanOptions): Promise<PlannedWorkflow> {
  const { task, model, thread = [] } = options;
  const agents = options.agents.filter((agent) => agent.status === "up");
  const away = awayOf(options);
  if (agents.length === 0) throw nobody(away);
  // What only makes sense with what was done before is for the planner, which is told of it.
  const follows = thread.length > 0 && (followUpIn(task) !== undefined || refersBack(task));
  const single = follows ? undefined : singleAgentFor(task, [...agents, ...away]);
  const gone = away.find((agent) => agent === single);
  if (gone) throw lacking(gone);
  if (single) {
    const workflow = workflowSchema.parse(singleStep(task, single));
    return { workflow, by: "direct", usage: NO_USAGE };
  }
  const request = plannerRequest(task, [...agents, ...away], thread, options.unreadFiles);
  const names = agents.map((agent) => agent.name);
  const first = await ask(options, request);
  const among = { names, away, thread };
  const plan = readPlan(first.text, among);
  if (plan.ok) return { workflow: plan.workflow, by: "planner", usage: first.usage };
  const repair: ModelRequest = {
    ...request,
    messages: [
      ...request.messages,
      // Providers refuse an assistant message without text.
      ...(first.text.trim() === "" ? [] : [{ role: "assistant" as const, text: first.text, toolCalls: [] }]),
      {
        role: "user",
        text: `This plan cannot be run:\n${plan.error}\nWrite the whole plan again without that error.`,
      },
    ],
  };
  const second = await ask(options, repair);
  const repaired = readPlan(second.text, among);
  if (repaired.ok)
    return { workflow: repaired.workflow, by: "planner", usage: addUsage(first.usage, second.usage) };
  throw new WorkflowError(
    "workflow.plan-invalid",
    `model "${model.id}" wrote no plan that can be run, also after one correction: ${repaired.error}`,
  );
}

async function ask(
  { model, signal, onUsage }: PlanOptions,
  request: ModelRequest,
): Promise<{ readonly text: string; readonly usage: Usage }> {
  let text = "";
  let usage = NO_USAGE;
  try {
    for await (const event of model.stream(request, { signal })) {
      // More than any plan has is not one; what it took is still told.
      if (event.type === "text-delta" && text.length <= MAX_WORKFLOW_CHARS) text += event.text;
      else if (event.type === "usage") usage = addUsage(usage, event.usage);
    }
  } finally {
    if (usage !== NO_USAGE) onUsage?.(usage);
  }
  return { text, usage };
}

type ReadPlan =
  | { readonly ok: true; readonly workflow: Workflow }
  | { readonly ok: false; readonly error: string };

interface Among {
  readonly names: readonly string[];
  readonly away: readonly AwayAgent[];
  readonly thread: Thread;
}

function readPlan(text: string, { names, away, thread }: Among): ReadPlan {
  const read = readJson(text);
  if (!read.ok) return read;
  const { value } = read;
  const { refusal, needs, ...fields } = value as { readonly refusal?: unknown; readonly needs?: unknown };
  const plan = Array.isArray(value) ? (value as readonly unknown[]) : fields;
  const missing = away.find(({ name }) => name === needs);
  if (missing) throw lacking(missing);
  if (isReason(refusal)) {
    throw new WorkflowError("workflow.no-agent", `No agent fits this task: ${refusal.trim()}`);
  }
  if (isTooDeep(value)) return { ok: false, error: "it is nested too deep" };
  try {
    const workflow = parseWorkflow(JSON.stringify(plan), { format: "json", file: "the plan" });
    if (workflow.steps.some(({ kind }) => kind === "human"))
      return { ok: false, error: "a plan has steps of agents only; people are asked by agents" };
    assertWorkflow(workflow, names, { file: "the plan" });
    assertNothingTwice(workflow);
    earlierContext(normalizeWorkflow(workflow, { file: "the plan" }), thread);
    return { ok: true, workflow };
  } catch (error) {
    if (isTroupeError(error)) return { ok: false, error: error.message };
    throw error;
  }
}

const NO_TEXT = "there is no text; write the plan as one JSON object";

type ReadJson =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly error: string };

/**
 * The text as a whole, else the last object in it that is a plan or a refusal, as answers are found. A list of
 * steps, or what is no plan at all, is in the first fence or from its first bracket to its last.
 */
function readJson(text: string): ReadJson {
  const whole = text.trim();
  if (whole === "") return { ok: false, error: NO_TEXT };
  const [inFence] = whole.split(/```\w*[ \t]*\r?\n/, 2)[1]?.split(/\n[ \t]*```/, 1) ?? [];
  const object = whole.slice(whole.indexOf("{"), whole.lastIndexOf("}") + 1);
  const listAt = whole.search(/\[\s*\{/);
  const isList = listAt !== -1 && listAt < whole.indexOf("{");
  const list = whole.slice(listAt, whole.lastIndexOf("]") + 1);
  let error = "it is not a JSON object";
  const parse = (candidate: string | undefined): object | undefined => {
    if (candidate === undefined || !/^\s*[{[]/.test(candidate)) return undefined;
    try {
      return JSON.parse(candidate) as object;
    } catch (cause) {
      error = `it is not JSON: ${(cause as Error).message}`;
      return undefined;
    }
  };
  const value =
    parse(whole) ??
    findObjects(whole, isPlanOrRefusal).at(-1)?.object ??
    parse(inFence) ??
    parse(isList ? list : object);
  return value === undefined ? { ok: false, error } : { ok: true, value };
}

function isPlanOrRefusal({ steps, refusal }: { readonly [key: string]: unknown }): boolean {
  return (Array.isArray(steps) && steps.length > 0) || isReason(refusal);
}

/** Models that have nothing to refuse write "none" or a dash for it. */
function isReason(refusal: unknown): refusal is string {
  return (
    typeof refusal === "string" &&
    !/^[^\p{L}\p{N}]*(?:none|null|n\s*\/?\s*a|not applicable)?[^\p{L}\p{N}]*$/iu.test(refusal)
  );
}
