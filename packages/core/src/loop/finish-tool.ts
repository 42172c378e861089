import type { JsonObject } from "@troupe/stream";

import type { ToolDefinition } from "../ports/model.ts";
import { wholeObject } from "../response/find-response.ts";
import { looseObject, type LooseObject } from "../response/loose.ts";
import { readSaid, type Said } from "../response/said.ts";
import { FINISH_TOOL } from "../tools/tool-registry.ts";

const text = (description: string): JsonObject => ({ type: "string", description });
const ids = (description: string): JsonObject => ({ type: "array", items: { type: "string" }, description });

const fieldProperties: JsonObject = {
  field_name: text("Short snake_case name."),
  field_label: text("What the person sees."),
  field_description: text("Help for the person, or empty."),
  field_type: {
    type: "string",
    enum: ["text", "select", "multiselect", "boolean", "number", "url", "email"],
  },
  field_values: ids("Options of select and multiselect, else empty."),
  default_value: {
    anyOf: [
      { type: "string" },
      { type: "number" },
      { type: "boolean" },
      { type: "array", items: { type: "string" } },
      { type: "null" },
    ],
  },
  placeholder: text("Example of an input, or empty."),
  required: { type: "boolean" },
};

/** Content stands first, so that it is written, and seen, first. */
const properties: JsonObject = {
  content: text("The whole answer in Markdown. Cite as [1] with the ids that tools returned."),
  is_task_complete: { type: "boolean", description: "False when something asked for is missing." },
  require_user_input: { type: "boolean", description: "True when you cannot go on without the person." },
  user_input: text("The question to the person, or empty."),
  input_fields: {
    type: "array",
    description: "The form for the person when require_user_input, else empty.",
    items: strictObject(fieldProperties),
  },
  citation_ids: ids("Ids of the citations the answer rests on."),
  chart_ids: ids("Ids of the charts that belong to the answer."),
};

/** What an agent has besides whose answers are checked. */
const checkedProperties: JsonObject = {
  ...properties,
  replacements: {
    type: "array",
    description:
      "Only after finish was not accepted: sentences of the answer to replace, with content empty. Else empty.",
    items: strictObject({
      sentence: text("The sentence, word for word."),
      text: text("What takes its place; empty to delete it."),
    }),
  },
  derived: {
    type: "array",
    description: "Figures in the answer that you computed and no source states. Else empty.",
    items: strictObject({
      figure: text("As it stands in the answer, such as 27 %."),
      sentence: text("The first words of the sentence it stands in."),
      operands: ids(
        "The calculation with the figures of the sources, such as (1.2 - 0.9) / 0.9, or these figures as they stand there.",
      ),
    }),
  },
};

function strictObject(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** Written by hand, as strict schemas of providers allow few keywords and the order is the point. */
export const finishDefinition: ToolDefinition = {
  name: FINISH_TOOL,
  description:
    "Ends the task with the answer for the person, or asks the person. Call it alone, once, after all other work.",
  inputSchema: strictObject(properties),
  eager: true,
};

/** The same for an agent whose answers are checked. */
export const checkedFinishDefinition: ToolDefinition = {
  ...finishDefinition,
  inputSchema: strictObject(checkedProperties),
};

/** Names that models use for `content`. */
const CONTENT_NAMES: ReadonlySet<string> = new Set(
  "answer finalanswer text response finalresponse result output message".split(" "),
);

/**
 * Reads the arguments of finish by the rules of `readSaid`. Without `is_task_complete` the task is complete; without
 * `content`, the only text with a similar name, such as `answer`, is the content. Never throws and never loses readable
 * content: if the JSON is broken, the streamed content is kept.
 */
export function readFinish(raw: string, streamed: string): Said {
  const issues: string[] = [];
  const object = parseObject(raw, issues);
  const said = readSaid(
    {
      ...object,
      content: object["content"] ?? contentOf(object, issues),
      is_task_complete: object["is_task_complete"] ?? true,
    },
    issues,
  );
  return streamed === "" ? said : { ...said, content: streamed };
}

function contentOf(object: LooseObject, issues: string[]): unknown {
  const names = Object.keys(object).filter(
    (name) =>
      typeof object[name] === "string" && CONTENT_NAMES.has(name.toLowerCase().replaceAll(/[_-]/g, "")),
  );
  const [name, ...others] = names;
  if (name !== undefined && others.length === 0) return object[name];
  if (name !== undefined) issues.push(`content: is empty; you wrote ${names.join(", ")}`);
  return undefined;
}

function parseObject(raw: string, issues: string[]): LooseObject {
  if (raw.trim() === "") {
    issues.push("the arguments are empty");
    return {};
  }
  try {
    const value: unknown = JSON.parse(raw);
    const object =
      typeof value === "string" ? (wholeObject(value) ?? { content: value }) : looseObject(value);
    if (object !== undefined) return object;
    issues.push("the arguments must be one JSON object");
  } catch (error) {
    issues.push(
      `the arguments are not valid JSON (${error instanceof Error ? error.message : "unreadable"})`,
    );
  }
  return {};
}
