import type { InputField } from "@troupe/stream";

import { readInputFields } from "./input-fields.ts";
import { booleanOf, looseObject, type LooseObject } from "./loose.ts";

/** What a model said when it ended, as far as it could be read. */
export interface Said {
  readonly content: string;
  readonly isTaskComplete: boolean;
  readonly requireUserInput: boolean;
  /** False only when the model said that what was asked did not succeed. */
  readonly wasSuccessful: boolean;
  readonly userInput: string;
  readonly inputFields: readonly InputField[];
  readonly citationIds: readonly string[];
  readonly chartIds: readonly string[];
  /** What was wrong, one line each; the fields concerned stand at their neutral value. */
  readonly issues: readonly string[];
}

/**
 * Reads the fields of a response, leniently and the same in every mode: a missing field or `null`
 * counts as empty or false, "true", "yes", "no" and the like are booleans, one of any other type
 * counts as empty too and is an issue, and unknown keys are passed over. The question and the form
 * may stand at the top, as `finish` has them, or in `metadata`, as responses have them. Never throws.
 */
export function readSaid(object: LooseObject, issues: string[] = []): Said {
  const metadata = looseObject(object["metadata"] ?? {});
  if (metadata === undefined) issues.push("metadata: must be an object");
  const nested: LooseObject = metadata ?? {};

  function bool(key: string, missing: boolean): boolean {
    const value = booleanOf(object[key] ?? missing);
    if (value !== undefined) return value;
    issues.push(`${key}: must be true or false`);
    return false;
  }
  function text(key: string, value: unknown): string {
    if (typeof value === "string") return value.toWellFormed();
    if (value !== undefined && value !== null) issues.push(`${key}: must be text`);
    return "";
  }
  function idList(key: string): readonly string[] {
    const value = object[key] ?? [];
    if (Array.isArray(value) && value.every((id) => typeof id === "string" || typeof id === "number")) {
      return value.map(String);
    }
    issues.push(`${key}: must be a list of ids`);
    return [];
  }

  const asked = object["user_input"] ?? nested["user_input"];
  // In an `AgentResponse` it is a boolean, and the question has a key of its own.
  const question = typeof asked === "boolean" ? nested["question"] : (asked ?? nested["question"]);
  return {
    content: text("content", object["content"]),
    isTaskComplete: bool("is_task_complete", false),
    requireUserInput: bool("require_user_input", false),
    wasSuccessful: bool("was_task_successful", true),
    userInput: text("user_input", question),
    inputFields: readInputFields(object["input_fields"] ?? nested["input_fields"], issues),
    citationIds: idList("citation_ids"),
    chartIds: idList("chart_ids"),
    issues,
  };
}
