import type { Delegation, SendRequest } from "@troupe/core";
import type { InputReply } from "@troupe/stream";

import { WorkflowError } from "../engine/workflow-error.ts";

/** Where a text comes from, and who is about to get it. */
export interface RedactAt {
  /**
   * Id of the step that found it, or the name of an earlier one such as `turn1.research`; `task` for what the
   * run and the step were asked, `person` for what a person answered.
   */
  readonly from: string;
  readonly to: { readonly step: string; readonly agent: string };
}

/** A text as an agent may have it. The same text at the same place has to give the same. */
export type Redact = (text: string, at: RedactAt) => string;

/** Ids, addresses and kinds of things: what a text is found by, and no text. */
const KEPT: ReadonlySet<string> = new Set([
  "id",
  "stepId",
  "agent",
  "outcome",
  "taskId",
  "runId",
  "code",
  "url",
  "sha256",
  "mediaType",
  "collection",
  "chunkId",
  "resultId",
  "kind",
  "type",
]);

/**
 * What an agent is sent, with every text in it as it may have it: what was asked, answers, quotes, labels and
 * rows of charts, other findings and their keys, names of files, errors, replies. Ids and addresses stay, and so
 * do numbers. Throws a `WorkflowError` (`workflow.redaction-failed`) that holds nothing of the text.
 */
export function redacted(request: SendRequest, agent: string, redact: Redact): SendRequest {
  const to = { step: request.stepId ?? "", agent };
  const from = (name: string) => {
    const change = guarded(redact, { from: name, to });
    return <T>(value: T): T => walk(value, change, "record") as T;
  };
  const { delegation, reply } = request;
  const task = from("task");
  const results = (of: Delegation["results"]): Delegation["results"] =>
    Object.fromEntries(Object.entries(of).map(([name, result]) => [name, from(name)(result)]));
  const { earlier } = delegation;
  return {
    ...request,
    delegation: {
      ...delegation,
      objective: task(delegation.objective),
      instruction: task(delegation.instruction),
      expectedOutput: task(delegation.expectedOutput),
      results: results(delegation.results),
      ...(earlier === undefined
        ? {}
        : { earlier: { ...earlier, turns: task(earlier.turns), results: results(earlier.results) } }),
    },
    ...(reply === undefined ? {} : { reply: answered(reply, guarded(redact, { from: "person", to })) }),
  };
}

function guarded(redact: Redact, at: RedactAt): (text: string) => string {
  return (text) => {
    let changed: unknown;
    try {
      changed = redact(text, at);
    } catch {
      // Its message may hold the very text.
      throw failed(at);
    }
    if (typeof changed !== "string") throw failed(at);
    return changed;
  };
}

function failed({ from, to }: RedactAt): WorkflowError {
  const what =
    from === "task"
      ? "what was asked"
      : from === "person"
        ? "what a person answered"
        : `what "${from}" found`;
  return new WorkflowError(
    "workflow.redaction-failed",
    `Agent "${to.agent}" was sent nothing for step "${to.step}": ${what} could not be redacted. See the \`redact\` option.`,
  );
}

type Change = (text: string) => string;

/**
 * What of an object is no text: in a `record` of ours the keys and the values that things are found by, of
 * `values` that were given under names of ours the names alone, of what is `free` nothing.
 */
type Shape = "record" | "values" | "free";

function walk(value: unknown, change: Change, shape: Shape): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => walk(entry, change, shape));
  if (!isObject(value)) return value;
  return mapEntries(value, (key, entry) => {
    if (shape !== "record") return [shape === "free" ? change(key) : key, walk(entry, change, shape)];
    if (KEPT.has(key) && typeof entry === "string") return [key, entry];
    if (key === "data" && isObject(entry)) return [key, findings(entry, change)];
    // Keys of a row are what its columns are called; the fields of its chart are changed alike.
    return [key, walk(entry, change, key === "rows" ? "free" : "record")];
  });
}

function findings(data: object, change: Change): unknown {
  return mapEntries(data, (key, entry) =>
    key === "charts" ? [key, walk(entry, change, "record")] : [change(key), walk(entry, change, "free")],
  );
}

function answered(reply: InputReply, change: Change): InputReply {
  if ("values" in reply)
    return { ...reply, values: walk(reply.values, change, "values") as typeof reply.values };
  const decisions = reply.decisions.map((decision) => ({
    ...(walk(decision, change, "values") as typeof decision),
    callId: decision.callId,
    type: decision.type,
  }));
  return { ...reply, decisions: decisions as typeof reply.decisions };
}

function mapEntries(of: object, change: (key: string, value: unknown) => readonly [string, unknown]): object {
  return Object.fromEntries(Object.entries(of).map(([key, value]: [string, unknown]) => change(key, value)));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
