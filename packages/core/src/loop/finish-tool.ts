import type { InputField, JsonObject } from "@troupe/stream";
import { z } from "zod";

import type { ToolDefinition } from "../ports/model.ts";
import { inputFieldSchema } from "../schemas/response.ts";
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

/** What the model said with finish, as far as it could be read. */
export interface FinishCall {
  readonly content: string;
  readonly isTaskComplete: boolean;
  readonly requireUserInput: boolean;
  readonly userInput: string;
  readonly inputFields: readonly InputField[];
  readonly citationIds: readonly string[];
  readonly chartIds: readonly string[];
  /** What was wrong, one line each; the fields concerned stand at their neutral value. */
  readonly issues: readonly string[];
}

const fieldsSchema = z.array(inputFieldSchema);

/**
 * Reads the arguments of finish. Never throws and never loses readable content: a missing field
 * counts as empty or false, one of the wrong type does too and is an issue, keys that are not known
 * are passed over, and of broken JSON the streamed content is what remains.
 */
export function readFinish(raw: string, streamed: string): FinishCall {
  const issues: string[] = [];
  const args = parseObject(raw, issues);

  function bool(key: string): boolean {
    const value = args[key];
    if (value === undefined || typeof value === "boolean") return value ?? false;
    issues.push(`${key}: must be true or false`);
    return false;
  }
  function string(key: string): string {
    const value = args[key] ?? "";
    if (typeof value === "string") return value;
    issues.push(`${key}: must be text`);
    return "";
  }
  function idList(key: string): readonly string[] {
    const value = args[key] ?? [];
    if (Array.isArray(value) && value.every((id) => typeof id === "string" || typeof id === "number")) {
      return value.map(String);
    }
    issues.push(`${key}: must be a list of ids`);
    return [];
  }
  function fields(): readonly InputField[] {
    const value = args["input_fields"] ?? [];
    if (Array.isArray(value) && value.length === 0) return [];
    const parsed = fieldsSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    issues.push("input_fields: must be a list of fields as the schema has them");
    return [];
  }

  const content = string("content");
  return {
    content: streamed === "" ? content.toWellFormed() : streamed,
    isTaskComplete: bool("is_task_complete"),
    requireUserInput: bool("require_user_input"),
    userInput: string("user_input"),
    inputFields: fields(),
    citationIds: idList("citation_ids"),
    chartIds: idList("chart_ids"),
    issues,
  };
}

function parseObject(raw: string, issues: string[]): { readonly [key: string]: unknown } {
  if (raw.trim() === "") {
    issues.push("the arguments are empty");
    return {};
  }
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
    issues.push("the arguments must be one JSON object");
  } catch (error) {
    issues.push(
      `the arguments are not valid JSON (${error instanceof Error ? error.message : "unreadable"})`,
    );
  }
  return {};
}
