import { chartSpecSchema, citationSchema, resultTableSchema, type ToolOutput } from "@troupe/core";
import { isTooDeep, type Json } from "@troupe/stream";
import type { z } from "zod";

type Structured = Pick<ToolOutput, "citations" | "charts" | "tables" | "data" | "summary">;

const OURS = new Set(["citations", "charts", "tables", "data", "summary"]);
const MAX_CITATIONS = 500;
const MAX_CHARTS = 50;
const MAX_TABLES = 50;
const MAX_SUMMARY = 300;
/** Data goes into journals and prompts; more than this belongs in a file. In UTF-16 units of JSON. */
const MAX_DATA = 1_000_000;

/**
 * What a result carries beside its text. Our servers send `{ citations, charts, tables, data, summary }`;
 * whatever else a server sends is `data` as a whole. `dropped` says what could not be used.
 */
export function convertStructured(content: unknown): {
  readonly output: Structured;
  readonly dropped: readonly string[];
} {
  if (typeof content !== "object" || content === null) {
    return { output: {}, dropped: content === undefined ? [] : ["structuredContent: not an object"] };
  }
  if (isTooDeep(content)) return { output: {}, dropped: ["structuredContent: nested too deep"] };
  const dropped: string[] = [];
  const isOurs = !Array.isArray(content) && Object.keys(content).every((key) => OURS.has(key));
  const fields: { readonly [key: string]: unknown } = isOurs ? { ...content } : { data: content };

  const citations = keepValid("citations", fields["citations"], citationSchema, MAX_CITATIONS, dropped);
  const charts = keepValid("charts", fields["charts"], chartSpecSchema, MAX_CHARTS, dropped);
  const tables = keepValid("tables", fields["tables"], resultTableSchema, MAX_TABLES, dropped);
  const data = checkData(fields["data"], dropped);
  const summary = oneLine(fields["summary"], dropped);
  return {
    output: {
      ...(citations && { citations }),
      ...(charts && { charts }),
      ...(tables && { tables }),
      ...(data !== undefined && { data }),
      ...(summary !== undefined && { summary }),
    },
    dropped,
  };
}

function keepValid<T>(
  name: string,
  value: unknown,
  schema: z.ZodType<T>,
  max: number,
  dropped: string[],
): readonly T[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    dropped.push(`${name}: not a list`);
    return undefined;
  }
  if (value.length > max) dropped.push(`${name}: ${value.length - max} beyond the first ${max}`);
  const kept: T[] = [];
  for (const [index, entry] of value.slice(0, max).entries()) {
    const parsed = schema.safeParse(entry);
    if (parsed.success) kept.push(parsed.data);
    else dropped.push(`${name}[${index}]: ${parsed.error.issues[0]?.path.join(".") ?? ""} is not valid`);
  }
  return kept;
}

function checkData(value: unknown, dropped: string[]): Json | undefined {
  if (value === undefined) return undefined;
  if (JSON.stringify(value).length > MAX_DATA) {
    dropped.push(`data: more than ${MAX_DATA} characters`);
    return undefined;
  }
  // It came out of JSON.parse, so it is JSON.
  return value as Json;
}

function oneLine(value: unknown, dropped: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") {
    dropped.push("summary: not a text");
    return undefined;
  }
  const line = value.replace(/\s+/g, " ").trim();
  return line.length <= MAX_SUMMARY ? line : `${line.slice(0, MAX_SUMMARY - 1).toWellFormed()}…`;
}
