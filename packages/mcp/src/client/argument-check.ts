import { describeIssues, type Tool } from "@troupe/core";
import type { Json, JsonObject } from "@troupe/stream";
import { z } from "zod";

import { withoutPatterns } from "./without-patterns.ts";

type Check = Tool["parse"];

/**
 * Checks arguments against a remote tool's JSON Schema before they go out. The arguments pass
 * unchanged: the server is the one to fill in defaults. A schema that zod cannot convert is checked
 * for its outline only, and `onOutline` is told once.
 */
export function argumentCheck(schema: JsonObject, onOutline: (reason: string) => void): Check {
  let check: Check | undefined;
  const useOutline = (error: unknown): Check => {
    onOutline(error instanceof Error ? error.message : String(error));
    return (check = outlineCheck(schema));
  };
  return (args) => {
    if (!check) {
      try {
        check = fullCheck(schema);
      } catch (error) {
        check = useOutline(error);
      }
    }
    try {
      return check(args);
    } catch (error) {
      // A schema that refers to itself in a way that only shows when it is used.
      return useOutline(error)(args);
    }
  };
}

function fullCheck(schema: JsonObject): Check {
  // A registry of its own: ids in a stranger's schema must not meet ours.
  const converted = z.fromJSONSchema(withoutPatterns(schema), { registry: z.registry() });
  return (args) => {
    const parsed = converted.safeParse(args);
    return parsed.success ? { ok: true, value: args } : { ok: false, issues: describeIssues(parsed.error) };
  };
}

/** An object, with the required keys, and the right type for each key where one is named. */
function outlineCheck(schema: JsonObject): Check {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  return (args) => {
    if (!isObject(args)) return { ok: false, issues: ["arguments: expected an object"] };
    const missing = required.filter((key) => !Object.hasOwn(args, key)).map((key) => `${key}: is required`);
    const wrong = Object.entries(args).flatMap(([key, value]) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const type = isObject(property) ? property["type"] : undefined;
      return typeof type === "string" && !hasType(value, type) ? [`${key}: expected ${type}`] : [];
    });
    const issues = [...missing, ...wrong];
    return issues.length === 0 ? { ok: true, value: args } : { ok: false, issues };
  };
}

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === type;
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return true;
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
