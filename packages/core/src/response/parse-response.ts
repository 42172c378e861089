import {
  isTooDeep,
  JsonFieldReader,
  MarkerGate,
  type AgentResponse,
  type Citation,
  type Outcome,
  type ResponseData,
} from "@troupe/stream";

import { citationSchema, responseDataSchema } from "../schemas/response.ts";
import { beginsWithObject, findResponses, isFlagged, wholeObject } from "./find-response.ts";
import { looseObject, type LooseObject } from "./loose.ts";
import { readSaid, type Said } from "./said.ts";

export interface ParseOptions {
  /** Whether text without any object or marker is an answer, or a draft as by default. */
  readonly plainText?: "answer" | "draft";
  /** What an object without `is_task_complete` says: that the task is not complete, by default. */
  readonly unflagged?: "complete" | "incomplete";
}

export interface ParsedResponse {
  /** What it was read from. */
  readonly source: "object" | "broken-object" | "marker" | "text" | "nothing";
  /** Its fields, and what was wrong with them. */
  readonly said: Said;
  readonly outcome: Extract<Outcome, "completed" | "partial" | "failed" | "input-required">;
  /** Keeps to the schema, always. */
  readonly response: AgentResponse;
}

/**
 * Makes a validated response of whatever a model ended with. Never throws; linear in the input.
 *
 * - An object, or the last complete object of a text that is a response (it has a `content` that is
 *   a string, or `require_user_input`; beside other text, one of its flags too): its fields,
 *   leniently, see `readSaid`.
 * - A text that begins with such an object and breaks off: the content so far, partial.
 * - Any other text: what follows the final-answer marker, else all of it.
 *
 * It is completed only when the model said so, by the object, by the marker, or by plain text where
 * that is the answer, and nothing was wrong; said not to have succeeded, it is failed.
 */
export function parseResponse(input: unknown, options: ParseOptions = {}): ParsedResponse {
  if (typeof input === "string") return parseText(input, options);
  const object = looseObject(input);
  if (object === undefined) return parsed("nothing", readSaid({}, ["the response must be an object"]));
  return readObject(object, options);
}

function parseText(text: string, options: ParseOptions): ParsedResponse {
  // A body that prose is about is none: behind text an object has to say that it is a response.
  const alone = options.unflagged === "complete" || wholeObject(text) !== undefined;
  const last = findResponses(text, (found) => alone || isFlagged(found)).at(-1);
  if (last !== undefined) return readObject(last.object, options);
  if (beginsWithObject(text)) {
    const reader = new JsonFieldReader("content");
    const content = reader.push(text) + reader.end();
    if (reader.found) return parsed("broken-object", readSaid({ content }, ["the JSON is not complete"]));
  }
  const gate = new MarkerGate();
  const parts = [...gate.push(text), ...gate.end()].filter((part) => !gate.opened || part.role === "answer");
  const content = parts.map((part) => part.text).join("");
  if (gate.opened) return parsed("marker", readSaid({ content: content.trim(), is_task_complete: true }));
  const blank = content.trim() === "";
  const said = readSaid({
    content: blank ? "" : content,
    is_task_complete: options.plainText === "answer" && !blank,
  });
  return parsed(blank ? "nothing" : "text", said);
}

function readObject(written: LooseObject, { unflagged }: ParseOptions): ParsedResponse {
  const flag = written["is_task_complete"] ?? unflagged === "complete";
  const object: LooseObject = { ...written, is_task_complete: flag };
  const issues: string[] = [];
  const citations = readCitations(object["citations"], issues);
  const data = readData(object["data"], issues);
  return parsed("object", readSaid(object, issues), { citations, data });
}

function parsed(
  source: ParsedResponse["source"],
  said: Said,
  found: Pick<AgentResponse, "citations" | "data"> = { citations: [], data: null },
): ParsedResponse {
  const outcome = outcomeOf(said);
  const response: AgentResponse = {
    is_task_complete: outcome === "completed",
    require_user_input: outcome === "input-required",
    content: said.content,
    metadata: {
      user_input: outcome === "input-required",
      question: said.userInput,
      input_fields: said.inputFields,
    },
    ...found,
  };
  return { source, said, outcome, response };
}

/** How a run ends that said this. Nothing is completed beside an issue. */
export function outcomeOf(said: Said): ParsedResponse["outcome"] {
  if (!said.wasSuccessful) return "failed";
  if (said.issues.length > 0) return "partial";
  if (said.requireUserInput) return "input-required";
  return said.isTaskComplete ? "completed" : "partial";
}

function readCitations(value: unknown, issues: string[]): readonly Citation[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const read = entries.map((entry) => citationSchema.safeParse(entry));
  const wrong = !Array.isArray(value ?? []) || read.some((citation) => !citation.success);
  if (wrong) issues.push("citations: must be a list of citations");
  return read.flatMap((citation) => citation.data ?? []);
}

function readData(value: unknown, issues: string[]): ResponseData | null {
  if (value === undefined || value === null) return null;
  const tooDeep = isTooDeep(value);
  const parsed = tooDeep ? undefined : responseDataSchema.safeParse(value);
  if (parsed?.success === true) return parsed.data;
  issues.push("data: must be an object of structured findings");
  return null;
}
