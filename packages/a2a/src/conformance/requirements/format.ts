import { OVER_HTTP, requirement, type Requirement } from "../requirement.ts";

/** JSON, and what several bindings have in common: 4, 5. */
export const FORMAT: readonly Requirement[] = [
  requirement("json.names", "5.5", "MUST", "Names of fields are camelCase.", OVER_HTTP),
  requirement("json.enums", "5.5", "MUST", "Enum values are the names of the service definition.", OVER_HTTP),
  requirement("json.timestamps", "5.6.1", "MUST", "Times are ISO 8601 in UTC, ending in Z.", OVER_HTTP),
  requirement("json.required", "5.7", "MUST", "Required fields are there.", OVER_HTTP),
  requirement("json.required-lists", "5.7", "MUST", "Required lists have at least one element.", OVER_HTTP),
  requirement(
    "json.types",
    "5.5",
    "DEFINED",
    "Values have the JSON types that ProtoJSON gives them.",
    OVER_HTTP,
  ),
  requirement(
    "json.one-content",
    "4.1.6",
    "DEFINED",
    "A part has one content: text, data, url or raw.",
    OVER_HTTP,
  ),
  requirement("json.utf-8", "14.1.1", "MUST", "JSON is UTF-8, and text beyond ASCII is taken.", OVER_HTTP),
  requirement("json.artifact-ids", "4.1.7", "MUST", "Artifacts of a task have ids of their own."),
  requirement(
    "bindings.same-data",
    "4",
    "MUST",
    "A task reads the same over each binding, whichever it was made over.",
    { over: "agent", applies: "several-bindings" },
  ),
  requirement("bindings.same-errors", "5.1", "MUST", "The same fault is the same error over each binding.", {
    over: "agent",
    applies: "several-bindings",
  }),
  requirement("bindings.same-operations", "5.1", "MUST", "Each binding has every operation.", {
    over: "agent",
    applies: "several-bindings",
  }),
];
