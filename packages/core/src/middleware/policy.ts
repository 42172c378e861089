import type { Json } from "@troupe/stream";

import type { PolicyRule } from "../config/policy-rule.ts";
import { clip } from "../text/clip.ts";
import { matchesGlob } from "../text/glob.ts";
import type { Middleware, ProposedCall } from "./middleware.ts";

/** Lets calls pass or refuses them by the first rule that fits; what no rule fits passes. */
export function policy(rules: readonly PolicyRule[]): Middleware {
  if (rules.length === 0) return { name: "policy" };
  return {
    name: "policy",
    beforeTool(call) {
      const index = rules.findIndex((rule) => fits(rule, call));
      const rule = rules[index];
      if (rule === undefined || rule.effect === "allow") return undefined;
      const what = rule.arguments === undefined ? "" : " with these arguments";
      const name = clip(call.tool.definition.name, 80);
      return {
        refuse: `Refused by the rule "${rule.name ?? `policy[${index}]`}": ${name} may not be called${what}. Nothing was done. Find another way, or say what is missing.`,
      };
    },
  };
}

function fits(rule: PolicyRule, { tool, arguments: args }: ProposedCall): boolean {
  if (!matchesGlob(rule.tool, tool.definition.name)) return false;
  return Object.entries(rule.arguments ?? {}).every(([path, wanted]) => {
    const patterns = typeof wanted === "string" ? [wanted] : wanted;
    const values: string[] = [];
    valuesAt(args, path.split("."), values);
    const fit = (value: string): boolean => patterns.some((pattern) => matchesGlob(pattern, value));
    // One bad value is enough to refuse; to be allowed all of them must be good.
    return rule.effect === "deny" ? values.some(fit) : values.length > 0 && values.every(fit);
  });
}

/** Every plain value at the path or below it, lists included, as text. */
function valuesAt(value: Json, path: readonly string[], found: string[]): void {
  if (Array.isArray(value)) {
    for (const entry of value as readonly Json[]) valuesAt(entry, path, found);
    return;
  }
  const [key, ...rest] = path;
  if (typeof value !== "object" || value === null) {
    if (key === undefined && value !== null) found.push(String(value));
    return;
  }
  for (const [name, entry] of Object.entries(value)) {
    if (key === undefined || key === "*" || key === name) valuesAt(entry, rest, found);
  }
}
