import { clip, type AgentResult } from "@troupe/core";
import type { Json, JsonObject } from "@troupe/stream";

import { toJson } from "../../engine/json.ts";
import { outputCheck } from "../../schema/output-schema.ts";
import { tellIssues } from "../../schema/tell-issues.ts";

/** What a step's answer holds, by its schema; or why it does not fit. */
export type Output = { readonly value: Json } | { readonly issues: readonly string[] };

const FENCE = "```";

/** Of an issue that an agent is told. */
const MAX_ISSUE_CHARS = 300;

/** Parts of the data that are looked at; each may take as long to check as an answer. */
const MAX_PARTS = 10;

/**
 * Reads the value an answer is to be: the whole answer as JSON, else the last fenced part of it, else the
 * data beside it, else the one part of that data that fits. Whoever made it does not judge it, and no model does.
 */
export function readOutput(
  schema: JsonObject,
  { answer, data }: Pick<AgentResult, "answer" | "data">,
): Output {
  const check = outputCheck(schema);
  const written = [...parsed(answer), ...parsed(lastFenced(answer))];
  const found = [...written, ...(data === null ? [] : [toJson(data)])];
  const issues = found.map((value) => check(value));
  const value = found[issues.findIndex((list) => list.length === 0)];
  if (value !== undefined) return { value };
  const part = data === null ? undefined : fittingPart(toJson(data) as JsonObject, check);
  if (part !== undefined) return { value: part };
  const [first = []] = issues;
  if (written.length > 0) return { issues: first };
  // Whoever wrote words did not mean the data: what that lacks says little without it.
  return {
    issues: ["the answer is no JSON", ...first.map((issue) => `the data beside it does not fit: ${issue}`)],
  };
}

/**
 * What an agent is told of its answer before: the first ten issues and how many more there are. A journal may
 * have all of them, at any length.
 */
export function briefly(issues: readonly string[]): string {
  return tellIssues(issues.map((issue) => clip(issue, MAX_ISSUE_CHARS))).join("; ");
}

/** What an agent of others sends as data stands under the name of its artifact. Two that fit say nothing. */
function fittingPart(data: JsonObject, check: (value: Json) => readonly string[]): Json | undefined {
  const parts = Object.values(data);
  if (parts.length > MAX_PARTS) return undefined;
  const fitting = parts.filter((part) => check(part).length === 0);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Empty when there is none. */
function lastFenced(text: string): string {
  const end = text.lastIndexOf(FENCE);
  const start = end === -1 ? -1 : text.lastIndexOf(FENCE, end - 1);
  if (start === -1) return "";
  const inner = text.slice(start + FENCE.length, end);
  // The language stands behind the fence.
  return inner.slice(inner.indexOf("\n") + 1);
}

function parsed(text: string): readonly Json[] {
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}
