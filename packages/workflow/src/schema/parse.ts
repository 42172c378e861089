import { InputError, suggestNames } from "@troupe/core";
import { isMap, isNode, LineCounter, parseDocument, type Document } from "yaml";
import type { z } from "zod";

import { workflowSchema, type Workflow } from "./workflow-schema.ts";

/** A workflow file longer than this is refused before it is read, in UTF-16 units. */
export const MAX_WORKFLOW_CHARS = 1_000_000;

/** Keys a later version will give a meaning to. */
const RESERVED: ReadonlySet<string> = new Set(["when", "map"]);

export interface ParseOptions {
  /** `yaml` by default; `json` insists on strict JSON. */
  readonly format?: "yaml" | "json";
  /** Name of the file, for messages. */
  readonly file?: string;
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
    uniqueKeys: true,
    strict: true,
    stringKeys: true,
  });
  const value = readValue(text, document, options.format ?? "yaml", where);
  const parsed = workflowSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap((issue) => describe(issue, value, document, lines));
  throw invalid(where, issues);
}

function readValue(text: string, document: Document, format: "yaml" | "json", where: string): unknown {
  if (format === "json") {
    try {
      JSON.parse(text);
    } catch (cause) {
      throw invalid(where, [`not valid JSON: ${(cause as Error).message}`], cause);
    }
  }
  if (document.errors.length > 0) {
    throw invalid(
      where,
      document.errors.map((error) => `line ${error.linePos?.[0].line ?? 1}: ${firstLine(error.message)}`),
    );
  }
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch (cause) {
    throw invalid(where, [firstLine((cause as Error).message)], cause);
  }
}

/** One wrong character may break every line after it. */
const MAX_TOLD = 10;

function invalid(where: string, issues: readonly string[], cause?: unknown): InputError {
  const told = [...new Set(issues)];
  const more = told.length > MAX_TOLD ? [`and ${told.length - MAX_TOLD} more`] : [];
  const lines = [...told.slice(0, MAX_TOLD), ...more].map((issue) => `  ${issue}`);
  const message = `${where} is not a valid workflow:\n${lines.join("\n")}`;
  return new InputError("input.invalid", message, { issues, ...(cause === undefined ? {} : { cause }) });
}

/** The parser adds a picture of the place under its first line; the line number says it already. */
const firstLine = (message: string): string =>
  (message.split("\n")[0] ?? message).replace(/ at line \d+, column \d+:?$/, "");

function describe(
  issue: z.core.$ZodIssue,
  value: unknown,
  document: Document,
  lines: LineCounter,
): readonly string[] {
  if (issue.code !== "unrecognized_keys")
    return [`${place(issue.path, value, lineOf(issue.path, document, lines))}${issue.message}`];
  return issue.keys.map((key) => {
    const at = place(issue.path, value, lineOf([...issue.path, key], document, lines));
    if (RESERVED.has(key)) return `${at}key "${key}" is reserved for a later version; remove it`;
    return `${at}unknown key "${key}".${suggestNames(key, keysAt(issue.path))}`;
  });
}

/** `line 4, step "data", retry.attempts: ` */
function place(path: readonly PropertyKey[], value: unknown, line: number | undefined): string {
  const parts: string[] = line === undefined ? [] : [`line ${line}`];
  const inStep = path[0] === "steps" && typeof path[1] === "number";
  if (inStep) parts.push(`step ${stepName(value, Number(path[1]))}`);
  const rest = path.slice(inStep ? 2 : 0).map(String);
  if (rest.length > 0) parts.push(rest.join("."));
  return parts.length === 0 ? "" : `${parts.join(", ")}: `;
}

function stepName(value: unknown, index: number): string {
  const steps = (value as { readonly steps?: readonly unknown[] }).steps;
  const step = steps?.[index];
  if (typeof step !== "object" || step === null) return String(index + 1);
  const { id, agent } = step as { readonly id?: unknown; readonly agent?: unknown };
  if (typeof id === "string") return `"${id}"`;
  return typeof agent === "string" ? `${index + 1} (${agent})` : String(index + 1);
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
  if (path.length === 2) return Object.keys(step);
  if (path[2] === "retry") return Object.keys(step.retry.unwrap().shape);
  if (path[2] === "limits") return Object.keys(step.limits.unwrap().shape);
  const form = step.form.unwrap().shape;
  return path.length === 3 ? Object.keys(form) : Object.keys(form.fields.element.shape);
}
