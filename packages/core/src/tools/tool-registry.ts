import { isTooDeep, MAX_JSON_DEPTH, type Json } from "@troupe/stream";

import { ToolError } from "../errors/tool-error.ts";
import type { ModelToolCall, ToolDefinition } from "../ports/model.ts";
import type { Tool } from "../ports/tool.ts";
import { clip } from "../text/clip.ts";
import { suggestNames } from "../text/nearest-names.ts";
import { coerceArguments, describeReadings } from "./coerce-arguments.ts";
import { exampleLine } from "./example-of.ts";

/** Tools with the name of where they come from, for messages. */
export interface ToolGroup {
  readonly from: string;
  readonly tools: readonly Tool[];
}

/** A source whose tools are missing, and why; the reason is safe to show. */
export interface UnavailableSource {
  readonly source: string;
  readonly reason: string;
}

/** A call that can be made, or what to tell the model. `args` is what a person is shown. */
export type PreparedCall =
  | {
      readonly ok: true;
      readonly tool: Tool;
      readonly args: Json;
      /** How arguments were converted to the tool's schema. */
      readonly note?: string;
    }
  | { readonly ok: false; readonly text: string; readonly args: Json };

export interface ToolRegistryOptions {
  /** Names that may be called; empty means all. */
  readonly allowed?: readonly string[];
  readonly unavailable?: readonly UnavailableSource[];
}

/** The loop's own tool; no other may have its name. */
export const FINISH_TOOL = "finish";

/** Problems of one call that the model is told. */
const MAX_ISSUES = 5;
const MAX_ISSUE = 300;
/** Prefixes that models put before names of tools. */
const NAMESPACE = /^(?:functions?|tools?|default_api)[.:/]+/i;

/**
 * The tools of one run under one roof. Throws a `ToolError` (`tool.duplicate`) that names both
 * owners when two tools have one name.
 */
export class ToolRegistry {
  readonly definitions: readonly ToolDefinition[];
  readonly unavailable: readonly UnavailableSource[];
  readonly #tools = new Map<string, Tool>();

  constructor(groups: readonly ToolGroup[], options: ToolRegistryOptions = {}) {
    const owners = new Map([[FINISH_TOOL, "the loop"]]);
    const allowed = new Set(options.allowed);
    for (const { from, tools } of groups) {
      for (const tool of tools) {
        const { name } = tool.definition;
        const owner = owners.get(name);
        if (owner !== undefined) {
          throw new ToolError(
            "tool.duplicate",
            `Tool "${name}" is offered by ${owner} and by ${from}. Rename one, or leave it out of that server's tools.`,
          );
        }
        owners.set(name, from);
        if (allowed.size === 0 || allowed.has(name)) this.#tools.set(name, tool);
      }
    }
    this.definitions = [...this.#tools.values()].map((tool) => tool.definition);
    this.unavailable = options.unavailable ?? [];
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** The tool of this name, `finish` included, ignoring case, separators and a namespace prefix. */
  nameOf(written: string): string | undefined {
    if (written === FINISH_TOOL || this.#tools.has(written)) return written;
    const wanted = fold(written);
    const [name, ...others] = [...this.names, FINISH_TOOL].filter((one) => fold(one) === wanted);
    return others.length === 0 ? name : undefined;
  }

  /** Tools that change nothing, for looking things up. */
  get readOnly(): readonly string[] {
    return this.names.filter((name) => this.isReadOnly(name));
  }

  isReadOnly(name: string): boolean {
    return this.#tools.get(name)?.annotations?.readOnly === true;
  }

  isDestructive(name: string): boolean {
    return this.#tools.get(name)?.annotations?.destructive === true;
  }

  /** Finds the tool and reads the arguments, without asking it whether it takes them. Never throws. */
  find(call: ModelToolCall): PreparedCall {
    const json = parseArguments(call.arguments);
    const args = json.ok ? json.value : call.arguments;
    const tool = this.#tools.get(call.name);
    if (tool === undefined) return { ok: false, text: this.#unknown(call.name), args };
    if (!json.ok) {
      const text = `The arguments of ${call.name} are ${json.problem}. You wrote: ${clip(call.arguments, 300)}\n${exampleLine(tool.definition.inputSchema, "")}`;
      return { ok: false, text, args };
    }
    const coerced = coerceArguments(tool.definition.inputSchema, args);
    const note = describeReadings(coerced, call.name);
    return { ok: true, tool, args: coerced.args, ...(note === undefined ? {} : { note }) };
  }

  #unknown(name: string): string {
    // Finish itself comes here only where it is not offered.
    const known = name === FINISH_TOOL ? this.names : [...this.names, FINISH_TOOL];
    const missing = this.unavailable.map(
      ({ source, reason }) => ` The tools of ${source} are unavailable: ${reason}`,
    );
    return `There is no tool "${clip(name, 80)}".${suggestNames(name, known)}${missing.join("")}`;
  }
}

/** Asks the tool whether it takes the arguments. */
export function checkCall(tool: Tool, args: Json): PreparedCall {
  const parsed = check(tool, args);
  if (parsed.ok) return { ok: true, tool, args: parsed.value };
  const { name, inputSchema } = tool.definition;
  const shown = parsed.issues.slice(0, MAX_ISSUES).map((issue) => `- ${clip(issue, MAX_ISSUE)}`);
  const more =
    parsed.issues.length > shown.length ? [`- and ${parsed.issues.length - shown.length} more`] : [];
  const example = exampleLine(inputSchema, pathOf(parsed.issues[0] ?? "", args), args);
  const lines = [`The arguments of ${name} were not accepted:`, ...shown, ...more, example];
  return { ok: false, text: lines.join("\n"), args };
}

/** A tool's own check may come from elsewhere and fail. */
function check(tool: Tool, args: Json): ReturnType<Tool["parse"]> {
  try {
    return tool.parse(args);
  } catch {
    return { ok: false, issues: ["they could not be checked"] };
  }
}

/** Models write nothing at all where a tool takes no arguments. */
function parseArguments(
  raw: string,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string } {
  if (raw.trim() === "") return { ok: true, value: {} };
  try {
    const value = JSON.parse(raw) as Json;
    if (!isTooDeep(value)) return { ok: true, value };
    return { ok: false, problem: `nested more than ${MAX_JSON_DEPTH} levels deep` };
  } catch (error) {
    const why = error instanceof Error ? clip(error.message, 200) : "unreadable";
    return { ok: false, problem: `not valid JSON (${why})` };
  }
}

/** The path of an issue, such as `slides.0`; empty if the arguments lack it, so that the example shows them all. */
function pathOf(issue: string, args: Json): string {
  const [path = ""] = /^[\w.-]+(?=: )/.exec(issue) ?? [];
  let part: unknown = args;
  for (const key of path.split(".")) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, key)) return "";
    part = (part as { readonly [key: string]: unknown })[key];
  }
  return path;
}

function fold(name: string): string {
  return name
    .slice(0, 100)
    .replace(NAMESPACE, "")
    .toLowerCase()
    .replace(/[\s_.-]+/g, "_");
}
