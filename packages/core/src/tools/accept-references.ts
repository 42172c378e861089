import type { Json, JsonObject } from "@troupe/stream";

import type { SharedContext } from "../ports/delegation.ts";
import type { Tool, ToolContext, ToolOutput, ToolSource } from "../ports/tool.ts";
import { isList, isObject } from "../schemas/json-value.ts";
import { checkChart, checkCitation } from "./written-evidence.ts";

/** Marks a property of a tool's input schema that takes a finding of another step. */
export const REFERENCE_KEY = "x-troupe-ref";

type Kind = "chart" | "citation";

/**
 * The same source, where every property marked with `x-troupe-ref` also takes `{ step, id }`: the
 * model names a chart or citation of a step it depends on, and the tool receives the thing itself.
 * So numbers and quotes pass from step to step without going through a model. One that the model writes out instead
 * is looked up and refused where nobody found it.
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
  const { inputSchema } = tool.definition;
  if (!JSON.stringify(inputSchema).includes(`"${REFERENCE_KEY}"`)) return tool;
  return {
    definition: { ...tool.definition, inputSchema: showReferences(inputSchema) as JsonObject },
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

function refuse(tool: Tool, issues: readonly string[]): ToolOutput {
  const text = `The arguments of ${tool.definition.name} were not accepted:\n- ${issues.join("\n- ")}`;
  return { text, isError: true };
}

/** The schema as the model sees it: a reference, or the thing itself where there is no step to name. */
function showReferences(schema: Json): Json {
  if (isList(schema)) return schema.map(showReferences);
  if (!isObject(schema)) return schema;
  const kind = kindOf(schema);
  if (kind === undefined) {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, showReferences(value)]));
  }
  const { [REFERENCE_KEY]: _, description, ...own } = schema;
  const reference = {
    type: "object",
    description: `A ${kind} in the result of a step before: its step id, and the id it has there.`,
    properties: { step: { type: "string" }, id: { type: "string" } },
    required: ["step", "id"],
    additionalProperties: false,
  };
  return { ...(description === undefined ? {} : { description }), anyOf: [reference, own] };
}

function containsReference(schema: Json, value: Json): boolean {
  let found = false;
  mapMarked(schema, value, (marked) => {
    found ||= isReference(marked);
    return marked;
  });
  return found;
}

function resolve(schema: Json, value: Json, context: ToolContext, problems: Set<string>): Json {
  const { shared } = context;
  return mapMarked(schema, value, (marked, kind) => {
    if (isReference(marked)) {
      const found = find(shared, kind, marked);
      if (found === undefined) problems.add(describeMissing(shared, kind, marked));
      return found ?? null;
    }
    const checked = kind === "chart" ? checkChart(marked, context) : checkCitation(marked, context);
    if (checked.ok) return checked.value;
    problems.add(checked.problem);
    return null;
  });
}

interface Reference {
  readonly step: string;
  readonly id: string;
}

/** Walks value and schema side by side and replaces every object at a marked place. */
function mapMarked(schema: Json, value: Json, replace: (marked: JsonObject, kind: Kind) => Json): Json {
  if (!isObject(schema)) return value;
  const kind = kindOf(schema);
  if (kind !== undefined && isObject(value)) return replace(value, kind);
  let mapped = value;
  for (const branch of [schema["anyOf"], schema["oneOf"], schema["allOf"]]) {
    if (isList(branch)) for (const option of branch) mapped = mapMarked(option, mapped, replace);
  }
  const { items, properties } = schema;
  if (isList(mapped) && items !== undefined) {
    return mapped.map((entry) => mapMarked(items, entry, replace));
  }
  if (isObject(mapped) && isObject(properties)) {
    return Object.fromEntries(
      Object.entries(mapped).map(([key, entry]) => {
        const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
        return [key, property === undefined ? entry : mapMarked(property, entry, replace)];
      }),
    );
  }
  return mapped;
}

function find(shared: SharedContext, kind: Kind, { step, id }: Reference): Json | undefined {
  const result = Object.hasOwn(shared.results, step) ? shared.results[step] : undefined;
  const list = kind === "citation" ? result?.citations : result?.data?.charts;
  const found = list?.find((entry) => entry.id === id);
  if (found === undefined) return undefined;
  // Who found it is told of an answer; a tool takes what its schema says.
  const { foundBy: _, ...plain } = found;
  return plain as JsonObject;
}

function describeMissing(shared: SharedContext, kind: Kind, { step, id }: Reference): string {
  const there = Object.entries(shared.results).flatMap(([stepId, result]) =>
    (kind === "citation" ? result.citations : (result.data?.charts ?? [])).map(
      (entry) => `{ step: "${stepId}", id: "${entry.id}" }`,
    ),
  );
  const known =
    there.length === 0 ? `No step before has a ${kind}.` : `There is ${there.slice(0, 20).join(", ")}.`;
  return `there is no ${kind} "${id}" in the result of step "${step}". ${known}`;
}

function kindOf(schema: JsonObject): Kind | undefined {
  const kind = schema[REFERENCE_KEY];
  return kind === "chart" || kind === "citation" ? kind : undefined;
}

function isReference(value: Json): value is Reference & JsonObject {
  return (
    isObject(value) &&
    typeof value["step"] === "string" &&
    typeof value["id"] === "string" &&
    Object.keys(value).length === 2
  );
}
