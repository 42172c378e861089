import { clip, findObjects, isTroupeError } from "@troupe/core";
import { isTooDeep } from "@troupe/stream";

import { assertWorkflow, normalizeWorkflow } from "../schema/normalize.ts";
import { parseWorkflow } from "../schema/parse.ts";
import type { Workflow } from "../schema/workflow-schema.ts";
import { earlierContext } from "../thread/earlier-context.ts";
import type { Thread } from "../thread/thread.ts";
import { assertNothingTwice } from "./nothing-twice.ts";

/** What a planner wrote: a valid workflow, a refusal with the name of the missing agent, or its errors. */
export type ReadPlan =
  | { readonly kind: "plan"; readonly workflow: Workflow }
  | { readonly kind: "refusal"; readonly reason: string; readonly needs: string }
  | { readonly kind: "invalid"; readonly error: string };

export interface PlanContext {
  readonly task: string;
  /** Agents that a plan may use. */
  readonly agents: readonly { readonly name: string; readonly title: string }[];
  readonly thread: Thread;
}

export type Fields = { readonly [key: string]: unknown };

/** Characters of the name of a planned workflow. */
export const MAX_NAME = 80;

/**
 * Reads a plan and corrects common mistakes of models: fills in version, mode and name, takes near names of a
 * step's fields, matches agents by title and regardless of case, `-`, `_` and spaces, drops dependencies on unknown
 * steps, and ignores a refusal beside steps.
 * Reports all errors at once.
 */
export function readPlan(text: string, context: PlanContext): ReadPlan {
  const read = readJson(text);
  if (!read.ok) return { kind: "invalid", error: read.error };
  if (isTooDeep(read.value)) return { kind: "invalid", error: "it is nested too deep" };
  const whole = (Array.isArray(read.value) ? { steps: read.value } : read.value) as Fields;
  const { refusal, needs, ...fields } = whole;
  const written = fields["steps"];
  const hasSteps = Array.isArray(written) && written.length > 0;
  const needed = typeof needs === "string" ? needs.trim() : "";
  if (!hasSteps && (isReason(refusal) || isReason(needed))) {
    const reason = isReason(refusal) ? refusal.trim() : `it needs ${needed}`;
    return { kind: "refusal", reason, needs: needed };
  }
  const plan = toPlan(fields, written, context);
  const errors: string[] = [];
  const attempt = <T>(check: () => T): T | undefined => {
    try {
      return check();
    } catch (error) {
      if (!isTroupeError(error)) throw error;
      errors.push(error.message);
      return undefined;
    }
  };
  const names = context.agents.map(({ name }) => name);
  const file = "the plan";
  const workflow = attempt(() => parseWorkflow(JSON.stringify(plan), { format: "json", file }));
  if (workflow !== undefined) {
    if (workflow.steps.some(({ kind }) => kind === "human"))
      errors.push("a plan has steps of agents only; people are asked by agents");
    attempt(() => assertWorkflow(workflow, names, { file }));
    attempt(() => assertNothingTwice(workflow));
    if (errors.length === 0)
      attempt(() => earlierContext(normalizeWorkflow(workflow, { file }), context.thread));
    if (errors.length === 0) return { kind: "plan", workflow };
  }
  return { kind: "invalid", error: errors.join("\n") };
}

/** A plan with its agents and dependencies by their exact names, as far as they can be recognised. */
export function toPlan(
  fields: Fields,
  written: unknown,
  { task, agents }: Pick<PlanContext, "task" | "agents">,
): Fields {
  const steps = Array.isArray(written) ? (written as readonly unknown[]).map(renameFields) : undefined;
  const ids = new Map(steps?.flatMap((step) => idsOf(step)) ?? []);
  const agentNames = new Map(
    agents.flatMap(({ name, title }) => [[keyOf(title), name] as const, [keyOf(name), name] as const]),
  );
  const { mode, name } = fields;
  return {
    ...fields,
    version: 1,
    name: clip(typeof name === "string" && name.trim() !== "" ? name : task, MAX_NAME),
    mode: mode === "sequential" ? mode : "parallel",
    ...(steps === undefined ? {} : { steps: steps.map((step) => toStep(step, { ids, agentNames })) }),
  };
}

/** Names that models use for the instruction of a step. */
const INSTRUCTION_NAMES = ["task", "description", "prompt"];

/** A step with `name` as its id and `task`, `description` or `prompt` as its instruction, where these are missing. */
export function renameFields(step: unknown): unknown {
  if (typeof step !== "object" || step === null || Array.isArray(step)) return step;
  const { name, ...unnamed } = step as Fields;
  const isId = typeof name === "string" && unnamed["id"] === undefined;
  const fields: Fields = isId ? { ...unnamed, id: name.trim().replaceAll(/\s+/g, "-") } : (step as Fields);
  const [used, ...others] = INSTRUCTION_NAMES.filter((key) => typeof fields[key] === "string");
  if (used === undefined || others.length > 0 || fields["instruction"] !== undefined) return fields;
  const { [used]: instruction, ...rest } = fields;
  return { ...rest, instruction };
}

function toStep(
  step: unknown,
  {
    ids,
    agentNames,
  }: { readonly ids: ReadonlyMap<string, string>; readonly agentNames: ReadonlyMap<string, string> },
): unknown {
  if (typeof step !== "object" || step === null || Array.isArray(step)) return step;
  const { agent, depends_on, ...rest } = step as Fields;
  const dependencies =
    typeof depends_on === "string" ? [depends_on] : Array.isArray(depends_on) ? depends_on : undefined;
  return {
    ...rest,
    ...(agent === undefined
      ? {}
      : { agent: typeof agent === "string" ? (agentNames.get(keyOf(agent)) ?? agent) : agent }),
    ...(dependencies === undefined
      ? {}
      : {
          depends_on: [
            ...new Set(
              dependencies.flatMap((id) => (typeof id === "string" ? (ids.get(keyOf(id)) ?? []) : [])),
            ),
          ],
        }),
  };
}

/** Steps are referred to by id, or by agent if they have no id. */
function idsOf(step: unknown): readonly (readonly [string, string])[] {
  const { id, agent } = (step ?? {}) as Fields;
  const name = typeof id === "string" ? id : agent;
  return typeof name === "string" ? [[keyOf(name), name]] : [];
}

/** `Data_Agent` and `data agent` are `data-agent`. */
const keyOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "-");

const NO_TEXT = "there is no text; write the plan as one JSON object";

type ReadJson =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly error: string };

/**
 * The text as a whole, else the last object in it that is a plan or a refusal, as answers are found. A list of
 * steps, or what is no plan at all, is in the first fence or from its first bracket to its last.
 */
export function readJson(text: string): ReadJson {
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
