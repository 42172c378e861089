import {
  coerceArguments,
  inlineDefinitions,
  isReferenceTo,
  type StepResult,
  type Tool,
  type ToolContext,
  type ToolSource,
} from "@troupe/core";
import type { Json, JsonObject } from "@troupe/stream";

const CREATE = "powerpoint_create_presentation";
const ADD = "powerpoint_add_slide";
const REPLACE = "powerpoint_replace_slide";

/** Shorter descriptions name kinds of slides, and are repeated. */
const MIN_REPEATED = 30;

/** Results that one slide may rest on; more are of no use to a reader. */
const MAX_RESULTS = 6;

/**
 * The tools of the presentation server with the schema of a slide in `powerpoint_replace_slide`, too, so that sources are
 * looked up there as in `powerpoint_add_slide`. For `acceptReferences`; `compactTools` then hides it from the model.
 */
export function withSlideSchema(source: ToolSource): ToolSource {
  return changeTools(source, (tools) => {
    const add = tools.find(({ definition }) => definition.name === ADD)?.definition.inputSchema;
    const slide = add && propertiesOf(inlineDefinitions(add))["slide"];
    if (slide === undefined) return tools;
    return tools.map((tool) =>
      tool.definition.name === REPLACE ? withSchema(tool, withProperty(tool, "slide", slide)) : tool,
    );
  });
}

/**
 * The tools as the model sees them: every request carries their schemas, so nothing stands in them twice, and the model
 * has one list for what a slide rests on. Also reads the name of an earlier step as the presentation that it made, and
 * takes the only presentation of the run where the model names none.
 */
export function compactTools(source: ToolSource): ToolSource {
  const created: Created = new Map();
  return changeTools(source, (tools) =>
    tools.map((tool) => compactTool(withOnlyPresentation(tool, created))),
  );
}

/** Ids of the presentations that each run created, by run. */
type Created = Map<string, readonly string[]>;
const MAX_RUNS = 1_000;

function withOnlyPresentation(tool: Tool, created: Created): Tool {
  const { name, inputSchema } = tool.definition;
  if (name === CREATE)
    return {
      ...tool,
      async execute(args, context) {
        const output = await tool.execute(args, context);
        const id = isObject(output.data) ? output.data["presentation_id"] : undefined;
        if (typeof id === "string") created.set(context.runId, [...(created.get(context.runId) ?? []), id]);
        const [oldest] = created.keys();
        if (created.size > MAX_RUNS && oldest !== undefined) created.delete(oldest);
        return output;
      },
    };
  if (propertiesOf(inputSchema)["presentation_id"] === undefined) return tool;
  return {
    ...tool,
    // Which presentations the run has is known when the call runs.
    parse(args) {
      if (!lacksPresentation(args)) return tool.parse(args);
      const parsed = tool.parse({ ...args, presentation_id: "only" });
      if (!parsed.ok || !isObject(parsed.value)) return parsed;
      const { presentation_id: _, ...value } = parsed.value;
      return { ok: true, value };
    },
    execute(args, context) {
      if (!lacksPresentation(args)) return tool.execute(args, context);
      const earlier = Object.values(context.shared.results).flatMap(
        (result) => lastPresentation(result) ?? [],
      );
      const [only, ...others] = created.get(context.runId) ?? new Set(earlier);
      if (only !== undefined && others.length === 0)
        return tool.execute({ ...args, presentation_id: only }, context);
      const known = only === undefined ? "" : ` This run has ${[only, ...others].join(", ")}.`;
      const text = `presentation_id is missing. Pass the one that ${CREATE} returned.${known}`;
      return Promise.resolve({ text, isError: true });
    },
  };
}

const lacksPresentation = (args: Json): args is JsonObject =>
  isObject(args) && (args["presentation_id"] ?? "") === "";

function compactTool(tool: Tool): Tool {
  const { name, inputSchema } = tool.definition;
  const execute: Tool["execute"] = (args, context) => {
    const known = withPresentation(args, context);
    return tool.execute(name === ADD || name === REPLACE ? withResults(known, context) : known, context);
  };
  const { slide } = propertiesOf(inputSchema);
  if (name === ADD && isObject(slide))
    return { ...withSchema(tool, withProperty(tool, "slide", withoutRepeats(shownSlide(slide)))), execute };
  if (name !== REPLACE) return { ...tool, execute };
  const shown = { type: "object", description: `As in ${ADD}` };
  return {
    ...withSchema(tool, withProperty(tool, "slide", shown)),
    parse: (args) => tool.parse(coerceArguments(inputSchema, args).args),
    execute,
  };
}

/** Without `data`, which `sources` stands for, and without charts that are written out in full. */
function shownSlide(slide: JsonObject): JsonObject {
  const { data: _, chart, sources, ...properties } = propertiesOf(slide);
  return {
    ...slide,
    properties: {
      ...properties,
      ...(isObject(chart) && { chart: withoutFullChart(chart) }),
      ...(isObject(sources) && {
        sources: {
          ...sources,
          description: "Citations, charts and query results the whole slide rests on, as step/id",
          items: { type: "string" },
        },
      }),
    },
  };
}

/** A chart in full names its provenance; one of columns and rows takes it from the sources of the slide. */
function withoutFullChart(chart: JsonObject): JsonObject {
  const isFull = (schema: Json): boolean =>
    isObject(schema) && propertiesOf(schema)["provenance"] !== undefined;
  const { anyOf: branches, ...rest } = chart;
  if (!Array.isArray(branches)) return chart;
  const flat = branches.flatMap((one: Json) =>
    isObject(one) && Array.isArray(one["anyOf"]) ? one["anyOf"] : [one],
  );
  return { ...rest, anyOf: flat.filter((one) => !isFull(one)) };
}

/** `turn1.deck` for the id of the presentation which that step made. */
function withPresentation(args: Json, { shared }: ToolContext): Json {
  if (!isObject(args)) return args;
  const { presentation_id: id } = args;
  if (typeof id !== "string" || !Object.hasOwn(shared.results, id)) return args;
  const last = lastPresentation(shared.results[id]);
  return last === undefined ? args : { ...args, presentation_id: last };
}

function lastPresentation(result: StepResult | undefined): string | undefined {
  const { charts: _charts, tables: _tables, ...byTool } = result?.data ?? {};
  const found = Object.values(byTool).flatMap((one) =>
    isObject(one) && typeof one["presentation_id"] === "string" ? [one["presentation_id"]] : [],
  );
  return found.at(-1);
}

/** Moves charts and query results from the sources of a slide and its statements to its `data`. */
function withResults(args: Json, context: ToolContext): Json {
  if (!isObject(args) || !isObject(args["slide"])) return args;
  const results: Json[] = [];
  const isResult = (value: Json): boolean =>
    !isReferenceTo(value, "citation", context) && isReferenceTo(value, "result", context);
  const move = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(move);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, entry]): readonly (readonly [string, Json])[] => {
        if (key !== "sources" || !Array.isArray(entry)) return [[key, move(entry)]];
        results.push(...entry.filter(isResult));
        const rest = entry.filter((one: Json) => !isResult(one));
        return rest.length === 0 ? [] : [[key, rest]];
      }),
    );
  };
  const slide = move(args["slide"]) as JsonObject;
  if (results.length === 0) return args;
  const { data = [] } = slide;
  const all = [...(Array.isArray(data) ? data : [data]), ...results];
  const once = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  return { ...args, slide: { ...slide, data: once.slice(0, MAX_RESULTS) } };
}

function changeTools(source: ToolSource, change: (tools: readonly Tool[]) => readonly Tool[]): ToolSource {
  return {
    name: source.name,
    list: async (options) => change(await source.list(options)),
    close: () => source.close(),
  };
}

const withSchema = (tool: Tool, inputSchema: JsonObject): Tool => ({
  ...tool,
  definition: { ...tool.definition, inputSchema },
});

function withProperty({ definition: { inputSchema } }: Tool, name: string, schema: Json): JsonObject {
  return { ...inputSchema, properties: { ...propertiesOf(inputSchema), [name]: schema } };
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

/** A description that stood before says nothing new. */
function withoutRepeats(schema: JsonObject, seen = new Set<string>()): JsonObject {
  const strip = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(strip);
    return isObject(value) ? withoutRepeats(value, seen) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      if (key !== "description" || typeof value !== "string") return [[key, strip(value)]];
      const isNew = value.length < MIN_REPEATED || !seen.has(value);
      seen.add(value);
      return isNew ? [[key, value]] : [];
    }),
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
