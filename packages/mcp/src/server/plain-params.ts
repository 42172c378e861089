import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/**
 * The schema of a request with other errors: the SDK reports params that do not fit as an internal error (-32603)
 * with the issues as JSON. This one throws an `McpError` (-32602) that says in a sentence what is wrong.
 */
export function withPlainParams<M extends z.ZodLiteral<string>, P extends z.ZodType>(
  schema: z.ZodObject<{ method: M; params: P }>,
): z.ZodObject<{ method: M; params: z.ZodCatch<P> }> {
  const { method, params } = schema.shape;
  return z.object({
    method,
    params: params.catch(({ error, input }) => {
      const [issue] = error.issues;
      const what = issue === undefined ? "its params do not fit." : sentence(issue, input);
      throw new McpError(ErrorCode.InvalidParams, `"${method.value}" cannot be read: ${what}`);
    }),
  });
}

function sentence(issue: z.core.$ZodIssue, params: unknown): string {
  const name = ["params", ...issue.path].map(String).join(".").slice(0, 200);
  let given = params;
  for (const key of issue.path)
    given = (given as { readonly [key: PropertyKey]: unknown } | undefined)?.[key];
  if (given === undefined) return `${name} is missing.`;
  if (issue.code === "invalid_type") {
    const expected = issue.expected === "record" ? "object" : issue.expected;
    return `${name} must be ${withArticle(expected)}, not ${withArticle(typeOf(given))}.`;
  }
  if (issue.code === "invalid_value") return `${name} must be one of ${issue.values.join(", ")}.`;
  return `${name} does not fit (${issue.message}).`;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
