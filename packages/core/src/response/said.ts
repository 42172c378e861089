import type { InputField } from "@troupe/stream";

import type { Replacement } from "../answer/correct-answer.ts";
import type { DerivedFigure } from "../ports/answer-check.ts";
import { readInputFields } from "./input-fields.ts";
import { booleanOf, listOf, looseObject, type LooseObject } from "./loose.ts";

/** Models also write ids as `[1]`, `1, 2`, or a whole list as one string. */
const ID_SEPARATORS = /[,;[\]"]+/;

/** An answer has a few computed figures of a few operands each; more of them are left out. */
const MAX_DERIVED = 40;
const MAX_OPERANDS = 30;

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
  /** Sentences of an answer that was not accepted, and what takes their place. */
  readonly replacements: readonly Replacement[];
  /** Figures that it computed, with their operands: at most 40, with at most 30 operands each. */
  readonly derived: readonly DerivedFigure[];
  /** What was wrong, one line each; the fields concerned stand at their neutral value. */
  readonly issues: readonly string[];
}

/**
 * Reads the fields of a response, leniently and the same in every mode: a missing field or `null`
 * counts as empty or false, "true", "yes", "no" and the like are booleans, ids may have brackets
 * or stand in one string, one of any other type
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
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (list.every((id) => typeof id === "string" || typeof id === "number")) {
      const ids = list.flatMap((entry) => String(entry).split(ID_SEPARATORS));
      return ids.map((id) => id.trim()).filter((id) => id !== "");
    }
    issues.push(`${key}: must be a list of ids`);
    return [];
  }

  function entries<T>(key: string, read: (entry: LooseObject) => T | undefined): readonly T[] {
    const value = listOf(object[key]);
    const found = Array.isArray(value) ? value.map((entry) => read(looseObject(entry) ?? {})) : [undefined];
    if (found.includes(undefined)) issues.push(`${key}: must be a list of objects as the schema has them`);
    return found.filter((entry) => entry !== undefined);
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
    replacements: entries("replacements", readReplacement),
    derived: entries("derived", readDerived).slice(0, MAX_DERIVED),
    issues,
  };
}

function readReplacement({ sentence, text }: LooseObject): Replacement | undefined {
  if (typeof sentence !== "string" || sentence.trim() === "") return undefined;
  const given = text ?? "";
  return typeof given === "string"
    ? { sentence: sentence.toWellFormed(), text: given.toWellFormed() }
    : undefined;
}

function readDerived({ figure, operands, sentence }: LooseObject): DerivedFigure | undefined {
  const isText = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
  if (!isText(figure) || !Array.isArray(operands) || !operands.every(isText)) return undefined;
  const isNamed = typeof sentence === "string" && sentence.trim() !== "";
  return {
    figure: String(figure),
    operands: operands.slice(0, MAX_OPERANDS).map(String),
    ...(isNamed ? { sentence: sentence.toWellFormed() } : {}),
  };
}

/** What a text that is one JSON object, in a fence or not, corrects of an answer; undefined where it is none. */
export function readCorrection(text: string): Pick<Said, "replacements" | "derived"> | undefined {
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  try {
    const object = looseObject(JSON.parse(json)) ?? {};
    return "replacements" in object || "derived" in object ? readSaid(object) : undefined;
  } catch {
    return undefined;
  }
}
