import type { ErrorInfo } from "@troupe/stream";

import type { ModelToolResult } from "../ports/model.ts";
import type { Said } from "../response/said.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { Ending } from "./ending.ts";
import { givenByHistory } from "./given.ts";
import type { Run } from "./run.ts";
import { textOf } from "./text-item.ts";

/** Characters of a message that is material to work on, such as a text to shorten. */
const MIN_MATERIAL = 500;
const MAX_QUESTION = 300;
/** Most names of tools in one message. */
const MAX_NAMED = 8;
/** These return instructions, not evidence. */
const INSTRUCTION_TOOLS: ReadonlySet<string> = new Set(["load_skill", "read_skill_file"]);

const NOTHING_LOOKED_UP: ErrorInfo = {
  code: "agent.nothing-looked-up",
  message: "The answer rests on nothing that was looked up: no tool call of this run succeeded.",
};

/** Asks the model to look something up first; undefined if there is evidence or the model was asked before. */
export function askForLookup(run: Run, registry: ToolRegistry): string | undefined {
  if (run.askedForLookup || run.iteration >= run.limits.maxIterations || !lacksEvidence(run, registry))
    return undefined;
  run.askedForLookup = true;
  return `Nothing was looked up yet. Call one of ${listNames(registry.readOnly)} first.`;
}

/** The message of the finish rule, sent to the model once; undefined if nothing is left to do. */
export function askForRest(run: Run): string | undefined {
  if (run.askedForRest || run.iteration >= run.limits.maxIterations || !mayAskAgain(run)) return undefined;
  const rest = run.options.finishRule?.(run.state());
  run.askedForRest = rest !== undefined;
  return rest;
}

/** The same for `finish`, which is also refused in the round of the first search: the model has not read the results. */
export function refuseUnread(
  run: Run,
  registry: ToolRegistry,
  { said, results, hadLooked }: FinishRound,
): string | undefined {
  if (said.requireUserInput || !said.wasSuccessful) return undefined;
  const why = isQuestion(said.content) ? undefined : unread(run, registry, results, hadLooked);
  if (why !== undefined) return why;
  const rest = askForRest(run);
  return rest && `finish was refused. ${rest}`;
}

function unread(
  run: Run,
  registry: ToolRegistry,
  results: readonly ModelToolResult[],
  hadLooked: boolean,
): string | undefined {
  const read = results.filter(({ name }) => registry.isReadOnly(name)).map(({ name }) => name);
  if (read.length > 0 && !hadLooked && mayAskAgain(run) && run.iteration < run.limits.maxIterations)
    return `finish was refused: you wrote it before you could read what ${listNames([...new Set(read)])} returned. Read that now, then call finish again.`;
  const why = askForLookup(run, registry);
  return why && `finish was refused. ${why}`;
}

export interface FinishRound {
  readonly said: Said;
  /** Results of the calls before it, none of which failed. */
  readonly results: readonly ModelToolResult[];
  /** A call of an earlier round had succeeded. */
  readonly hadLooked: boolean;
}

/** Marks an answer as partial that has no evidence, or leaves something undone that the finish rule names. */
export function markUnfounded(run: Run, registry: ToolRegistry, ending: Ending): Ending {
  const { outcome, ask, error } = ending;
  if ((outcome !== "completed" && outcome !== "partial") || ask !== undefined || error !== undefined)
    return ending;
  const isFree = isQuestion(textOf(ending.answer ?? []));
  if (!isFree && lacksEvidence(run, registry))
    return { ...ending, outcome: "partial", error: NOTHING_LOOKED_UP };
  const rest = run.options.finishRule?.(run.state());
  return rest === undefined
    ? ending
    : { ...ending, outcome: "partial", error: { code: "agent.unfinished", message: rest } };
}

/** A short question to the person makes no claim. */
export function isQuestion(text: string): boolean {
  return text.length <= MAX_QUESTION && /[?？]\s*$/.test(text);
}

export function hasLookedUp({ calls }: Pick<Run, "calls">): boolean {
  return calls.some(({ tool, status }) => status === "ok" && !INSTRUCTION_TOOLS.has(tool));
}

/** False for fixed rules and recordings, which repeat their answer. */
export function mayAskAgain(run: Run): boolean {
  return run.options.model.free !== true;
}

/** The agent has read-only tools, no call succeeded, and neither the person nor another step gave it material. */
function lacksEvidence(run: Run, registry: ToolRegistry): boolean {
  return !hasLookedUp(run) && mayAskAgain(run) && registry.readOnly.length > 0 && !wasGivenEvidence(run);
}

function wasGivenEvidence({ request, written, shared, files, images }: Run): boolean {
  const steps = Object.values(shared.results);
  return (
    files.length + images.ofRequest.length > 0 ||
    steps.some(
      ({ answer, citations, data }) => answer.trim() !== "" || citations.length > 0 || data !== null,
    ) ||
    givenByHistory(request).some((text) => text.trim() !== "") ||
    written.some((text) => text.length >= MIN_MATERIAL)
  );
}

export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(", ");
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}

/** Names of everything that can be called, to remind a model that made no call. */
export function callableNames(run: Run, registry: ToolRegistry): string {
  return listNames(run.mode === "finish" ? [...registry.names, "finish"] : registry.names);
}
