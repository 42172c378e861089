import { clip, InputError } from "@troupe/core";
import { isMap, isNode, isSeq, LineCounter, parseDocument, type Document } from "yaml";

import { describeProblem, problemsOf } from "./problems.ts";
import { resolveSteps } from "./resolve-steps.ts";
import { MAX_TOLD, quoted, tellIssues } from "./tell-issues.ts";
import { checkStructure, describeIssue } from "./validate.ts";
import { walkDocument } from "./walk-document.ts";
import { safeParseWorkflow, toWorkflow, type Workflow } from "./workflow-schema.ts";

/** A workflow file longer than this is refused before it is read, in UTF-16 units. */
export const MAX_WORKFLOW_CHARS = 200_000;

const NO_OBJECT = "A workflow file holds a list of steps or a mapping with `steps`.";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

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
  const value = toWorkflow(readValue(text, document, lines, options.format ?? "yaml", where));
  if (!isObject(value)) throw invalid(where, [NO_OBJECT]);
  const parsed = safeParseWorkflow(value);
  if (parsed.success) {
    if (options.structure === true) requireStructure(parsed.data, where, document, lines);
    return parsed.data;
  }
  const problems = parsed.error.issues.flatMap(problemsOf);
  // Each line is looked up along the whole document: only of what is told.
  const told = problems.slice(0, MAX_TOLD).map((problem) => {
    const { path, key } = problem;
    return describeProblem(
      problem,
      value,
      lineOf(key === undefined ? path : [...path, key], document, lines),
    );
  });
  throw invalid(where, told, { untold: problems.length - told.length });
}

export interface ParseValueOptions {
  /** Name of the workflow when the value is a plain list of steps. */
  readonly name?: string;
  /** Overrides the workflow's own. */
  readonly mode?: Workflow["mode"];
}

/**
 * Reads a workflow, or a plain list of its steps, that is already a value. Throws an `InputError`
 * (`input.invalid`) that names the step of each problem; what spans several steps is not checked.
 */
export function parseWorkflowValue(value: unknown, { name, mode }: ParseValueOptions = {}): Workflow {
  const whole = toWorkflow(value, name);
  if (!isObject(whole)) throw invalid("the workflow", [NO_OBJECT], { what: "is not valid" });
  const parsed = safeParseWorkflow(mode === undefined ? whole : { ...whole, mode });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap(problemsOf).map((problem) => describeProblem(problem, whole));
  throw invalid("the workflow", problems, { what: "is not valid" });
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

/** Line of the node at `path`, or of the nearest one above it. */
function lineOf(path: readonly PropertyKey[], document: Document, lines: LineCounter): number | undefined {
  // A plain list of steps has no key "steps" to look up.
  if (isSeq(document.contents)) return lineIn(path.slice(1), document, lines);
  return lineIn(path, document, lines);
}

function lineIn(path: readonly PropertyKey[], document: Document, lines: LineCounter): number | undefined {
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
