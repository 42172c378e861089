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
  "sha256",
  "mediaType",
  "collection",
  "chunkId",
  "resultId",
  "kind",
  "type",
  "status",
]);

/**
 * What an agent is sent, with every text in it as it may have it: what was asked, answers, quotes, labels and
 * rows of charts, other findings and their keys, names of files, also in their addresses, errors, replies, what a
 * schema says in words. Ids and addresses stay, and so do numbers and what an answer has to be. Throws a `WorkflowError` (`workflow.redaction-failed`) that holds nothing of the text.
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
  const { earlier, images, outputSchema, unreadFiles } = delegation;
  return {
    ...request,
    delegation: {
      ...delegation,
      objective: task(delegation.objective),
      instruction: task(delegation.instruction),
      expectedOutput: task(delegation.expectedOutput),
      ...(outputSchema === undefined
        ? {}
        : { outputSchema: schemaTexts(outputSchema, guarded(redact, { from: "task", to })) }),
      ...(unreadFiles === undefined ? {} : { unreadFiles: task(unreadFiles) }),
      ...(images === undefined ? {} : { images: task(images) }),
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
    if (key === "url" && typeof entry === "string") return [key, address(entry, value, change)];
    // Keys of a row are what its columns are called; the fields of its chart are changed alike.
    return [key, walk(entry, change, key === "rows" ? "free" : "record")];
  });
}

/**
 * Where a file is. By its name in there servers of ours do not look for it, so it is called there as it may be.
 * Where the name stands in the address of another server, nothing but that server is told.
 */
function address(url: string, file: object, change: Change): string {
  const name = "name" in file && typeof file.name === "string" ? file.name : "";
  const called = name === "" ? name : change(name);
  if (called === name) return url;
  const [path = "", ...query] = url.split("?");
  const at = path.lastIndexOf("/") + 1;
  const last = decoded(path.slice(at)) === name ? encodeURIComponent(called) : path.slice(at);
  const neutral = [path.slice(0, at) + last, ...query].join("?");
  return decoded(neutral).includes(name) ? (URL.parse(url)?.origin ?? "") : neutral;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Keywords of a schema that say something in words, to whoever reads it. */
const SAID: ReadonlySet<string> = new Set(["title", "description", "$comment"]);
/** Those that hold values only as examples. */
const SHOWN: ReadonlySet<string> = new Set(["default", "examples"]);
/** Those under which names of fields stand, and behind each a schema. */
const NAMED: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);
/** Those that say what an answer has to be. */
const REQUIRED: ReadonlySet<string> = new Set(["const", "enum", "required", "type", "format"]);

/** A schema with its words as an agent may have them; what it asks of an answer stays, or none could fit. */
function schemaTexts<T>(schema: T, change: Change): T {
  const texts = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(texts);
    if (!isObject(value)) return value;
    return mapEntries(value, (key, entry) => {
      if (SAID.has(key) && typeof entry === "string") return [key, change(entry)];
      if (SHOWN.has(key)) return [key, walk(entry, change, "values")];
      if (REQUIRED.has(key)) return [key, entry];
      if (NAMED.has(key) && isObject(entry))
        return [key, mapEntries(entry, (name, inner) => [name, texts(inner)])];
      return [key, texts(entry)];
    });
  };
  return texts(schema) as T;
}

function findings(data: object, change: Change): unknown {
  return mapEntries(data, (key, entry) =>
    key === "charts" || key === "tables"
      ? [key, walk(entry, change, "record")]
      : [change(key), walk(entry, change, "free")],
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
