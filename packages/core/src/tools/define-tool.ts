import type { Json, JsonObject } from "@troupe/stream";
import { z } from "zod";

import type { Tool, ToolContext, ToolOutput } from "../ports/tool.ts";

export interface ToolSpec<S extends z.ZodObject> {
  /** Snake case, unique within an agent. */
  readonly name: string;
  /** For the model: what it does, when to use it, what it returns. */
  readonly description: string;
  readonly input: S;
  /** Calling it twice with the same arguments does no harm. False by default. */
  readonly idempotent?: boolean;
  /** Calls of one round keep their order among themselves. False by default: they run at once. */
  readonly ordered?: boolean;
  /** A person decides about every call before it runs. False by default. */
  readonly needsApproval?: boolean;
  execute(input: z.output<S>, context: ToolContext): Promise<ToolOutput>;
}

/** Makes a tool from a zod object: its JSON Schema for the model, its check before every call. */
export function defineTool<S extends z.ZodObject>(spec: ToolSpec<S>): Tool {
  return {
    definition: {
      name: spec.name,
      description: spec.description,
      inputSchema: toInputSchema(spec.input),
    },
    idempotent: spec.idempotent ?? false,
    ...(spec.ordered === true ? { ordered: true } : {}),
    ...(spec.needsApproval === true ? { needsApproval: true } : {}),
    parse(args) {
      const parsed = spec.input.safeParse(args);
      if (parsed.success) return { ok: true, value: parsed.data as Json };
      return { ok: false, issues: describeIssues(parsed.error) };
    },
    execute: (args, context) => spec.execute(args as z.output<S>, context),
  };
}

/** One line an issue: where it is (`root` when it is the whole) and what was wrong. */
export function describeIssues(error: z.ZodError, root = "arguments"): readonly string[] {
  return error.issues.map((issue) => describeIssue(issue, root));
}

export function describeIssue({ path, message }: z.core.$ZodIssue, root: string): string {
  return `${path.length === 0 ? root : path.map(String).join(".")}: ${message}`;
}

function toInputSchema(schema: z.ZodObject): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest as JsonObject;
}
