import { clip, suggestNames } from "@troupe/core";
import type { z } from "zod";

import { quoted } from "./tell-issues.ts";
import { workflowSchema } from "./workflow-schema.ts";

/** Keys a later version will give a meaning to. */
const RESERVED: ReadonlySet<string> = new Set(["when", "map"]);

export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** One that is not known, at `path`. */
  readonly key?: string;
}

/** One problem a key, so that each unknown key gets a line of its own. */
export function problemsOf(issue: z.core.$ZodIssue): readonly Problem[] {
  const { path, message } = issue;
  return issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => ({ path, message, key }))
    : [{ path, message }];
}

/** `line 4, step "data", retry.attempts: must be at most 10`; `value` is the whole workflow. */
export function describeProblem({ path, message, key }: Problem, value: unknown, line?: number): string {
  const at = place(path, value, line);
  if (key === undefined) return `${at}${message}`;
  if (RESERVED.has(key)) return `${at}key ${quoted(key)} is reserved for a later version; remove it`;
  return `${at}unknown key ${quoted(key)}.${suggestNames(key, keysAt(path))}`;
}

/** `line 4, step "data", retry.attempts: ` */
function place(path: readonly PropertyKey[], value: unknown, line: number | undefined): string {
  const parts: string[] = line === undefined ? [] : [`line ${line}`];
  const inStep = path[0] === "steps" && typeof path[1] === "number";
  if (inStep) parts.push(`step ${stepName(value, Number(path[1]))}`);
  const rest = path.slice(inStep ? 2 : 0).map(String);
  if (rest.length > 0) parts.push(clip(rest.join("."), 120));
  return parts.length === 0 ? "" : `${parts.join(", ")}: `;
}

function stepName(value: unknown, index: number): string {
  const steps = (value as { readonly steps?: readonly unknown[] }).steps;
  const step = steps?.[index];
  if (typeof step !== "object" || step === null) return String(index + 1);
  const { id, agent } = step as { readonly id?: unknown; readonly agent?: unknown };
  if (typeof id === "string") return quoted(id);
  return typeof agent === "string" ? `${index + 1} (${clip(agent, 80)})` : String(index + 1);
}

/** The keys allowed where an unknown one stood, for the nearest name. */
function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const step = workflowSchema.shape.steps.element.shape;
  if (path.length === 0) return Object.keys(workflowSchema.shape);
  if (path[0] === "limits") return Object.keys(workflowSchema.shape.limits.unwrap().shape);
  if (path.length === 2) return Object.keys(step);
  if (path[2] === "retry") return Object.keys(step.retry.unwrap().shape);
  if (path[2] === "limits") return Object.keys(step.limits.unwrap().shape);
  const form = step.form.unwrap().shape;
  return path.length === 3 ? Object.keys(form) : Object.keys(form.fields.element.shape);
}
