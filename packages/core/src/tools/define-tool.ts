import type { Json, JsonObject } from "@troupe/stream";
import { z } from "zod";

import type { Tool, ToolAnnotations, ToolContext, ToolOutput } from "../ports/tool.ts";
import { chartSpecSchema, citationSchema, resultTableSchema } from "../schemas/response.ts";

/** What results of a tool carry beside text and files. */
export interface ToolOutputSpec<D extends z.ZodType> {
  readonly data?: D;
  readonly citations?: boolean;
  readonly charts?: boolean;
  readonly tables?: boolean;
}

export interface ToolSpec<S extends z.ZodObject, D extends z.ZodType = z.ZodType<Json>> {
  /** Snake case, unique within an agent. */
  readonly name: string;
  /** For the model: what it does, when to use it, what it returns. */
  readonly description: string;
  readonly input: S;
  readonly annotations?: ToolAnnotations;
  /** Declared to clients as a JSON Schema; `data` of every result, errors included, must match it. */
  readonly output?: ToolOutputSpec<D>;
  /** Calling it twice with the same arguments does no harm. False by default. */
  readonly idempotent?: boolean;
  /** Calls of one round keep their order among themselves. False by default: they run at once. */
  readonly ordered?: boolean;
  /** A person decides about every call before it runs. False by default. */
  readonly needsApproval?: boolean;
  execute(
    input: z.output<S>,
    context: ToolContext,
  ): Promise<Omit<ToolOutput, "data"> & { readonly data?: z.input<D> }>;
}

/** Message of zod for a union without a message of its own. */
const UNION_MESSAGE = "Invalid input";

/** Makes a tool from a zod object: its JSON Schema for the model, its check before every call. */
export function defineTool<S extends z.ZodObject, D extends z.ZodType = z.ZodType<Json>>(
  spec: ToolSpec<S, D>,
): Tool {
  return {
    definition: {
      name: spec.name,
      description: spec.description,
      inputSchema: toJsonSchema(spec.input),
    },
    ...(spec.annotations === undefined ? {} : { annotations: spec.annotations }),
    ...(spec.output === undefined ? {} : { outputSchema: toOutputSchema(spec.output) }),
    idempotent: spec.idempotent ?? false,
    ...(spec.ordered === true ? { ordered: true } : {}),
    ...(spec.needsApproval === true ? { needsApproval: true } : {}),
    parse(args) {
      const parsed = spec.input.safeParse(args);
      if (parsed.success) return { ok: true, value: parsed.data as Json };
      return { ok: false, issues: describeIssues(parsed.error) };
    },
    execute: (args, context) => spec.execute(args as z.output<S>, context) as Promise<ToolOutput>,
  };
}

/** One line an issue: where it is (`root` when it is the whole) and what was wrong. */
export function describeIssues(error: z.ZodError, root = "arguments"): readonly string[] {
  return error.issues.flatMap(meantIssues).map((issue) => describeIssue(issue, root));
}

export function describeIssue({ path, message }: z.core.$ZodIssue, root: string): string {
  return `${path.length === 0 ? root : path.map(String).join(".")}: ${message}`;
}

/**
 * For a value that fits no branch of a union, the issues of the branch with the deepest problem, which is most likely
 * the intended one. If every branch rejects the type of the value, one issue with the expected types.
 */
export function meantIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union" || issue.message !== UNION_MESSAGE) return [issue];
  const branches = issue.errors.map((issues) => issues.flatMap(meantIssues));
  const depthOf = (issues: readonly z.core.$ZodIssue[]): number =>
    Math.max(
      0,
      ...issues.map(({ code, path }) => (code === "invalid_type" && path.length === 0 ? 0 : path.length + 1)),
    );
  const [best] = branches.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length);
  if (best === undefined || depthOf(best) === 0) {
    const expected = branches.flat().flatMap((one) => (one.code === "invalid_type" ? [one.expected] : []));
    if (expected.length === 0 || expected.length < branches.length) return [issue];
    return [{ ...issue, message: `expected ${[...new Set(expected)].join(" or ")}` }];
  }
  return best.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

/** Objects stay open, so that a result with one more field is still valid for a client that knows this schema. */
function toOutputSchema({
  data,
  citations = false,
  charts = false,
  tables = false,
}: ToolOutputSpec<z.ZodType>): JsonObject {
  return toJsonSchema(
    z.object({
      summary: z.string().describe("One line for a person").exactOptional(),
      ...(citations && { citations: z.array(citationSchema).exactOptional() }),
      ...(charts && { charts: z.array(chartSpecSchema).exactOptional() }),
      ...(tables && { tables: z.array(resultTableSchema).exactOptional() }),
      ...(data && { data: data.optional() }),
    }),
  );
}

function toJsonSchema(schema: z.ZodObject): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest as JsonObject;
}
