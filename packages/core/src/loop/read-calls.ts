import type { JsonObject } from "@troupe/stream";

import type { ModelToolCall } from "../ports/model.ts";
import { readWrittenCalls } from "../response/written-calls.ts";
import { FINISH_TOOL, type ToolRegistry } from "../tools/tool-registry.ts";
import { readFinish } from "./finish-tool.ts";
import type { Round } from "./round-reader.ts";
import type { Run } from "./run.ts";

/** A round with its calls as the loop runs them. */
export interface ReadRound {
  readonly round: Round;
  /** Notes for the model about how its calls were read, by call id. */
  readonly notes: ReadonlyMap<string, string>;
  /** The text looks like a call that cannot be run. */
  readonly callInText?: "unreadable" | "mixed";
}

const NO_NOTES: ReadonlyMap<string, string> = new Map();
const SUPERSEDED = "The text was a tool call.";

/** Corrects names of tools that differ in case or separators, and reads calls that the model wrote as text. */
export function readCalls(run: Run, registry: ToolRegistry, round: Round): ReadRound {
  return round.calls.length > 0 ? withNames(run, registry, round) : withWritten(run, registry, round);
}

function withNames(run: Run, registry: ToolRegistry, round: Round): ReadRound {
  if (round.calls.every(({ name }) => (nameOf(run, registry, name) ?? name) === name))
    return { round, notes: NO_NOTES };
  const notes = new Map<string, string>();
  const calls = round.calls.map((call) => {
    const name = nameOf(run, registry, call.name);
    if (name === undefined || name === call.name) return call;
    notes.set(call.callId, `Called ${name}; you wrote ${call.name}.`);
    return { ...call, name };
  });
  return { round: withCalls(run, round, calls), notes };
}

function withWritten(run: Run, registry: ToolRegistry, round: Round): ReadRound {
  const { text, response, stop } = round;
  if (registry.names.length === 0 || response !== undefined || stop === "refusal")
    return { round, notes: NO_NOTES };
  const found = readWrittenCalls(text, {
    nameOf: (written) => nameOf(run, registry, written),
    argumentsOf: (name) => argumentsOf(registry, name),
    isAnswer: (object) => fitsOutput(run, object),
  });
  if (found === undefined) return { round, notes: NO_NOTES };
  if (found.kind !== "calls") return { round, notes: NO_NOTES, callInText: found.kind };
  // Text may quote a document that holds a call; running it is harmless unless the tool is destructive.
  if (found.calls.some(({ name }) => registry.isDestructive(name)))
    return { round, notes: NO_NOTES, callInText: "mixed" };
  if (run.gate.opened) run.retractAnswer(SUPERSEDED);
  run.discard(round.items);
  const calls = found.calls.map((call) => ({ ...call, callId: run.callId("") }));
  const note = "This call was read from your text. Make the next one as a tool call.";
  const notes = new Map(calls.map(({ callId }) => [callId, note]));
  return { round: withCalls(run, { ...round, text: found.before, stop: "tool-calls" }, calls), notes };
}

function nameOf({ mode }: Run, registry: ToolRegistry, written: string): string | undefined {
  const name = registry.nameOf(written);
  return name === FINISH_TOOL && mode !== "finish" ? undefined : name;
}

function argumentsOf({ definitions }: ToolRegistry, name: string): readonly string[] {
  const properties = definitions.find((tool) => tool.name === name)?.inputSchema["properties"];
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}

/** The same round with these calls. A finish among them that was not streamed gets its content as a draft. */
function withCalls(run: Run, round: Round, calls: readonly ModelToolCall[]): Round {
  if (round.finishAt !== -1 || run.mode !== "finish") return { ...round, calls };
  const finishAt = calls.findIndex(({ name }) => name === FINISH_TOOL);
  const finish = calls[finishAt];
  if (finish === undefined) return { ...round, calls };
  const { content } = readFinish(finish.arguments, "");
  const item = content.trim() === "" ? undefined : run.draftItem(content);
  return {
    ...round,
    calls,
    finishAt,
    content: item,
    items: item === undefined ? round.items : [...round.items, item],
  };
}

/** Whether the answer is expected as JSON with properties of these names. */
function fitsOutput({ request }: Run, object: JsonObject): boolean {
  const properties = request.delegation?.outputSchema?.["properties"];
  if (typeof properties !== "object" || properties === null) return false;
  return Object.keys(object).every((key) => Object.hasOwn(properties, key));
}
