import type { ChartSpec, Citation, Json, JsonObject, ResultTable } from "@troupe/stream";

import type { StepResult } from "../ports/delegation.ts";
import type { Tool, ToolContext, ToolOutput, ToolSource } from "../ports/tool.ts";
import { isList, isObject } from "../schemas/json-value.ts";
import { clip } from "../text/clip.ts";
import { checkChart, checkCitation } from "./written-evidence.ts";

/** Marks a property of a tool's input schema that takes a finding of another step. */
export const REFERENCE_KEY = "x-troupe-ref";

type Kind = "chart" | "citation" | "result";

/**
 * The same source, where every property marked with `x-troupe-ref` also takes `step/id`, or the id alone where one step
 * has it: the model names a citation, a chart, or (`result`) a chart or table of a step it depends on, and the tool
 * receives the thing itself. So numbers and quotes pass from step to step without going through a model. A chart or
 * citation that the model writes out instead is refused unless a tool found it. `{ step, id }` is read too.
 */
export function acceptReferences(source: ToolSource): ToolSource {
  return {
    name: source.name,
    overview: async (request, options) => source.overview?.(request, options),
    list: async (options) => (await source.list(options)).map(withReferences),
    close: () => source.close(),
  };
}

function withReferences(tool: Tool): Tool {
  if (!JSON.stringify(tool.definition.inputSchema).includes(`"${REFERENCE_KEY}"`)) return tool;
  const inputSchema = inlineDefinitions(tool.definition.inputSchema);
  return {
    definition: { ...tool.definition, inputSchema: showReferences(inputSchema) as JsonObject },
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
    idempotent: tool.idempotent,
    ...(tool.ordered === true ? { ordered: true } : {}),
    ...(tool.needsApproval === true ? { needsApproval: true } : {}),
    // Arguments with references can only be checked once they are resolved, which needs the context.
    parse: (args) => (containsReference(inputSchema, args) ? { ok: true, value: args } : tool.parse(args)),
    async execute(args, context) {
      const problems = new Set<string>();
      const resolved = resolve(inputSchema, args, context, problems);
      if (problems.size > 0) return refuse(tool, [...problems]);
      if (!containsReference(inputSchema, args)) return tool.execute(resolved, context);
      const parsed = tool.parse(resolved);
      return parsed.ok ? tool.execute(parsed.value, context) : refuse(tool, parsed.issues);
    },
  };
}

const MAX_ISSUES = 8;
const MAX_ISSUE = 800;

function refuse(tool: Tool, issues: readonly string[]): ToolOutput {
  const shown = issues.slice(0, MAX_ISSUES).map((issue) => `- ${clip(issue, MAX_ISSUE)}`);
  const more = issues.length > shown.length ? [`- and ${issues.length - shown.length} more`] : [];
  return {
    text: [`The arguments of ${tool.definition.name} were not accepted:`, ...shown, ...more].join("\n"),
    isError: true,
  };
}

const DEFINITION = "#/$defs/";
/** Levels of nested definitions that are inlined. */
const MAX_INLINED = 8;

/** The schema with its `$defs` in place of each `$ref`; deeper than 8 levels, any value is taken. */
export function inlineDefinitions(schema: JsonObject): JsonObject {
  const { $defs: definitions, ...root } = schema;
  if (!isObject(definitions)) return schema;
  const inline = (part: Json, depth: number): Json => {
    if (isList(part)) return part.map((one) => inline(one, depth));
    if (!isObject(part)) return part;
    const { $ref: reference, ...rest } = part;
    const name =
      typeof reference === "string" && reference.startsWith(DEFINITION)
        ? reference.slice(DEFINITION.length)
        : undefined;
    if (name === undefined)
      return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inline(value, depth)]));
    const found = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    return isObject(found) && depth < MAX_INLINED ? inline({ ...found, ...rest }, depth + 1) : rest;
  };
  return inline(root, 0) as JsonObject;
}

/** The schema as the model sees it: a reference, or a chart that it writes itself. */
function showReferences(schema: Json): Json {
  if (isList(schema)) return schema.map(showReferences);
  if (!isObject(schema)) return schema;
  const kind = kindOf(schema);
  if (kind === undefined) {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, showReferences(value)]));
  }
  const { [REFERENCE_KEY]: _, description, ...own } = schema;
  const reference = { type: "string", description: `${kind} of a step, as step/id` };
  if (kind !== "chart") return reference;
  return { ...(description === undefined ? {} : { description }), anyOf: [reference, own] };
}

function containsReference(schema: Json, value: Json): boolean {
  let found = false;
  mapMarked(schema, value, (marked) => {
    found ||= readReference(marked) !== undefined;
    return marked;
  });
  return found;
}

function resolve(schema: Json, value: Json, context: ToolContext, problems: Set<string>): Json {
  return mapMarked(schema, value, (marked, kind, path) => {
    const reference = readReference(marked);
    if (reference !== undefined) {
      const found = find(context, kind, reference);
      if (found === undefined) problems.add(`${path}: ${describeMissing(context, kind, reference)}`);
      return found ?? null;
    }
    if (!isObject(marked)) return marked;
    const checked = kind === "citation" ? checkCitation(marked, context) : checkChart(marked, context);
    if (checked.ok) return checked.value;
    problems.add(`${path}: ${checked.problem}`);
    return null;
  });
}

interface Reference {
  /** Absent if only the id was given. */
  readonly step?: string;
  readonly id: string;
}

/** `research/3`, `[3]` or `{ step, id }`. */
function readReference(value: Json): Reference | undefined {
  if (typeof value === "string") {
    const text = value.trim().replace(/^\[(.*)\]$/, "$1");
    const slash = text.indexOf("/");
    return slash > 0 ? { step: text.slice(0, slash), id: text.slice(slash + 1) } : { id: text };
  }
  if (!isObject(value) || Object.keys(value).length !== 2) return undefined;
  const { step, id } = value;
  return typeof step === "string" && typeof id === "string" ? { step, id } : undefined;
}

/** Walks value and schema together and replaces the values of marked properties. */
function mapMarked(
  schema: Json,
  value: Json,
  replace: (marked: JsonObject | string, kind: Kind, path: string) => Json,
  path = "",
): Json {
  if (!isObject(schema)) return value;
  const kind = kindOf(schema);
  if (kind !== undefined && (isObject(value) || typeof value === "string"))
    return replace(value, kind, path === "" ? "arguments" : path);
  let mapped = value;
  for (const branch of [schema["anyOf"], schema["oneOf"], schema["allOf"]]) {
    if (isList(branch)) for (const option of branch) mapped = mapMarked(option, mapped, replace, path);
  }
  const { items, properties } = schema;
  const at = (key: string | number): string => (path === "" ? String(key) : `${path}.${key}`);
  if (isList(mapped) && items !== undefined) {
    return mapped.map((entry, index) => mapMarked(items, entry, replace, at(index)));
  }
  if (isObject(mapped) && isObject(properties)) {
    return Object.fromEntries(
      Object.entries(mapped).map(([key, entry]) => {
        const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
        return [key, property === undefined ? entry : mapMarked(property, entry, replace, at(key))];
      }),
    );
  }
  return mapped;
}

type Found = Citation | ChartSpec | TableOrigin;

/** A query result with its provenance, like a chart. */
interface TableOrigin extends ResultTable {
  readonly provenance: ChartSpec["provenance"];
}

function find(context: ToolContext, kind: Kind, { step, id }: Reference): Json | undefined {
  const { shared } = context;
  const results =
    step === undefined
      ? Object.values(shared.results)
      : Object.hasOwn(shared.results, step)
        ? [shared.results[step]]
        : [];
  const own = step === undefined ? foundInRun(context, kind) : [];
  const found = [...own, ...results.flatMap((result) => (result === undefined ? [] : listOf(result, kind)))];
  const named = found.filter((entry) => entry.id === id);
  const [first, ...others] = named.length > 0 ? named : found.filter((entry) => numberOf(entry) === id);
  // An id without a step must name one thing; a finding that a later step passes on counts once.
  const isClear = others.every((other) => isSame(other, first));
  return first === undefined || !isClear ? undefined : plain(first);
}

function foundInRun({ citations = [], charts = [], tables = [] }: ToolContext, kind: Kind): readonly Found[] {
  if (kind === "citation") return citations;
  return kind === "chart" ? charts : [...charts, ...tables.map(originOf)];
}

/** The number by which the answer of its step cites a table; undefined for anything else. */
const numberOf = (found: Found): string | undefined => ("number" in found ? found.number : undefined);

const isSame = (a: Found, b: Found | undefined): boolean =>
  b !== undefined && JSON.stringify(plain(a)) === JSON.stringify(plain(b));

/** Without `foundBy` and the number in an answer, which the schemas of tools do not have. */
function plain(found: Found): Json {
  const { foundBy: _, number: _number, ...rest } = { foundBy: undefined, number: undefined, ...found };
  return JSON.parse(JSON.stringify(rest)) as JsonObject;
}

function listOf({ citations, data }: StepResult, kind: Kind): readonly Found[] {
  if (kind === "citation") return citations;
  const { charts = [], tables = [] } = data ?? {};
  return kind === "chart" ? charts : [...charts, ...tables.map(originOf)];
}

function originOf(table: ResultTable): TableOrigin {
  const { id, title, query = "", source = title ?? id } = table;
  return { ...table, provenance: { resultId: id, query, source } };
}

/** Whether this names a thing of the kind that was found. */
export function isReferenceTo(value: Json, kind: Kind, context: ToolContext): boolean {
  const reference = readReference(value);
  return reference !== undefined && find(context, kind, reference) !== undefined;
}

function describeMissing({ shared }: ToolContext, kind: Kind, { step, id }: Reference): string {
  const there = Object.entries(shared.results).flatMap(([stepId, result]) =>
    listOf(result, kind).map((entry) => `"${stepId}/${numberOf(entry) ?? entry.id}"`),
  );
  const known =
    there.length === 0 ? `No step before has a ${kind}.` : `There is ${there.slice(0, 20).join(", ")}.`;
  const where =
    step === undefined ? "that is clear without its step" : `in the result of step "${clip(step, 80)}"`;
  return `there is no ${kind} "${clip(id, 80)}" ${where}. ${known}`;
}

function kindOf(schema: JsonObject): Kind | undefined {
  const kind = schema[REFERENCE_KEY];
  return kind === "chart" || kind === "citation" || kind === "result" ? kind : undefined;
}
