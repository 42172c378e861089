import { clip, InputError, suggestNames } from "@troupe/core";
import { isMap, isNode, LineCounter, parseDocument, type Document } from "yaml";
import type { z } from "zod";

import { resolveSteps } from "./resolve-steps.ts";
import { MAX_TOLD, quoted, tellIssues } from "./tell-issues.ts";
import { checkStructure, describeIssue } from "./validate.ts";
import { walkDocument } from "./walk-document.ts";
import { safeParseWorkflow, workflowSchema, type Workflow } from "./workflow-schema.ts";

/** A workflow file longer than this is refused before it is read, in UTF-16 units. */
export const MAX_WORKFLOW_CHARS = 200_000;

/** Keys a later version will give a meaning to. */
const RESERVED: ReadonlySet<string> = new Set(["when", "map"]);

export interface ParseOptions {
  /** `yaml` by default; `json` insists on strict JSON. */
  readonly format?: "yaml" | "json";
  /** Name of the file, for messages. */
  readonly file?: string;
  /** Checks what spans several steps too, but for the agents' names. */
  readonly structure?: boolean;
}

/**
 * Reads a workflow from text. Throws an `InputError` (`input.invalid`, `input.too-large`) that
 * names the file and, for each problem, its line, step and rule.
 */
export function parseWorkflow(text: string, options: ParseOptions = {}): Workflow {
  const where = options.file ?? "workflow";
  if (text.length > MAX_WORKFLOW_CHARS)
    throw new InputError(
      "input.too-large",
      `${where} has ${text.length} characters; the limit is ${MAX_WORKFLOW_CHARS}`,
    );
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    // Its own check is quadratic; `walkDocument` makes it.
    uniqueKeys: false,
    // Each would quote its whole line.
    prettyErrors: false,
    strict: true,
    stringKeys: true,
  });
  const value = readValue(text, document, lines, options.format ?? "yaml", where);
  const parsed = safeParseWorkflow(value);
  if (parsed.success) {
    if (options.structure === true) requireStructure(parsed.data, where, document, lines);
    return parsed.data;
  }
  const problems = parsed.error.issues.flatMap(problemsOf);
  // Each line is looked up along the whole document: only of what is told.
  const told = problems.slice(0, MAX_TOLD).map((problem) => describe(problem, value, document, lines));
  throw invalid(where, told, { untold: problems.length - told.length });
}

function requireStructure(workflow: Workflow, where: string, document: Document, lines: LineCounter): void {
  const issues = checkStructure(workflow);
  if (issues.length === 0) return;
  const labels = resolveSteps(workflow).map(({ label }) => label);
  const told = issues.slice(0, MAX_TOLD).map((issue) => {
    const at = labels.indexOf(issue.step ?? "");
    const line = at === -1 ? undefined : lineOf(["steps", at], document, lines);
    return `${line === undefined ? "" : `line ${line}, `}${describeIssue(issue)}`;
  });
  throw invalid(where, told, { untold: issues.length - told.length, what: "cannot be run" });
}

const TOO_DEEP = "nested too deep";

function readValue(
  text: string,
  document: Document,
  lines: LineCounter,
  format: "yaml" | "json",
  where: string,
): unknown {
  if (format === "json") {
    try {
      JSON.parse(text);
    } catch (cause) {
      throw invalid(where, [`not valid JSON: ${(cause as Error).message}`], { cause });
    }
  }
  const { tooDeep, twice } = walkDocument(document);
  const line = (offset: number): string => `line ${Math.max(1, lines.linePos(offset).line)}`;
  const errors = [
    ...document.errors.map(({ code, message, pos: [offset] }) =>
      // Why the parser gave up is in words of its own machinery.
      code === "RESOURCE_EXHAUSTION"
        ? `${line(offset)}: ${TOO_DEEP}`
        : `${line(offset)}: ${clip(message, 300)}`,
    ),
    ...(tooDeep && document.errors.length === 0 ? [TOO_DEEP] : []),
    ...twice.map(({ key, offset }) => `${line(offset)}: key ${quoted(key)} is given twice`),
  ];
  if (errors.length > 0) throw invalid(where, errors);
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch (cause) {
    throw invalid(where, [(cause as Error).message], { cause });
  }
}

function invalid(
  where: string,
  issues: readonly string[],
  {
    untold = 0,
    what = "is not a valid workflow",
    cause,
  }: { readonly untold?: number; readonly what?: string; readonly cause?: unknown } = {},
): InputError {
  const told = tellIssues(issues, untold);
  const message = `${where} ${what}:\n${told.map((issue) => `  ${issue}`).join("\n")}`;
  return new InputError("input.invalid", message, {
    issues: told,
    ...(cause === undefined ? {} : { cause }),
  });
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** One that is not known, at `path`. */
  readonly key?: string;
}

function problemsOf(issue: z.core.$ZodIssue): readonly Problem[] {
  const { path, message } = issue;
  return issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => ({ path, message, key }))
    : [{ path, message }];
}

function describe(
  { path, message, key }: Problem,
  value: unknown,
  document: Document,
  lines: LineCounter,
): string {
  const line = lineOf(key === undefined ? path : [...path, key], document, lines);
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

/** Line of the node at `path`, or of the nearest one above it. */
function lineOf(path: readonly PropertyKey[], document: Document, lines: LineCounter): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const parent: unknown =
      length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const key = isMap(parent)
      ? parent.items.find((pair) => isNode(pair.key) && String(pair.key) === last)?.key
      : undefined;
    const node: unknown = key ?? document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return isNode(document.contents) && document.contents.range
    ? lines.linePos(document.contents.range[0]).line
    : undefined;
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
