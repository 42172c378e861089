import { agentResponseSchema, InputError, isTroupeError, type AgentGateway, type Model } from "@troupe/core";
import { referencedIds, type AgentEvent, type Clock } from "@troupe/stream";

import { createDagDriver } from "../driver/create-dag-driver.ts";
import { brokenRun } from "../engine/broken-run.ts";
import { toJson } from "../engine/json.ts";
import type { LoggedEvent } from "../engine/run-log.ts";
import type { RunOutcome } from "../engine/run.ts";
import { inOrderOfAppearance, placeOf } from "../planner/renumber.ts";
import { cleanJson, type Scrub } from "./clean-json.ts";
import { JournalUsedUp, ReplayContext } from "./replay-context.ts";
import type { RunExport } from "./run-export.ts";

/** Something the driver of this program does otherwise than the one that was recorded. */
export interface ReplayDifference {
  readonly code: "workflow.journal-mismatch";
  readonly where: "decision" | "event" | "outcome";
  /** Of the journal's entry, the event's key, or the part of the outcome. */
  readonly name: string;
  readonly message: string;
}

export interface ReplayReport {
  readonly v: 1;
  readonly runId: string;
  /** `open`: it had not ended when it was exported, and is the same as far as it had come. */
  readonly result: "same" | "differs" | "open";
  /** Entries of the journal that were handed out again, of so many. */
  readonly entries: number;
  readonly recorded: number;
  /** Events of the run itself that were told again; those of agents and of the synthesis are not theirs to tell. */
  readonly events: number;
  readonly differences: readonly ReplayDifference[];
  /** What an open run waits for, by the names of the journal. */
  readonly waitsFor?: readonly string[];
}

/**
 * Runs the driver again over the recorded answers of agents, people and the model, and compares what it
 * decides, tells and ends with. Nothing is called: it takes no time and needs no agent. Throws an
 * `InputError` for an export without a journal.
 *
 * @param scrub what the export was made with; it may have taken a secret that stands in two entries
 */
export async function replayRun(exported: RunExport, scrub: Scrub = (text) => text): Promise<ReplayReport> {
  if (exported.journal === undefined)
    throw new InputError(
      "input.unsupported",
      `Run "${exported.run.runId}" ran on an engine that does not tell its journal, so it can be shown and not replayed.`,
    );
  // An earlier journal does not say whether there was a model; without one a run may write its answer elsewhere.
  const first = await replayWith(exported, scrub, silentModel);
  if (first.result !== "differs") return first;
  const second = await replayWith(exported, scrub, undefined);
  return second.result === "differs" ? first : second;
}

async function replayWith(
  exported: RunExport,
  scrub: Scrub,
  model: Model | undefined,
): Promise<ReplayReport> {
  const { run, spec, input, journal = [], outcome } = exported;
  const context = new ReplayContext(run.runId, journal);
  const agent = exported.events.find(({ event }) => event.stepId === undefined)?.event.agent;
  const driver = createDagDriver({
    gateway: nobody,
    eventLog: { append: () => undefined, read: unread },
    clock: stopped,
    newId: () => "replay",
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
  });
  const differences: ReplayDifference[] = [];
  const differs = (where: ReplayDifference["where"], name: string, message: string): void =>
    void differences.push({ code: "workflow.journal-mismatch", where, name, message });
  let ended: RunOutcome | undefined;
  let waitsFor: readonly string[] | undefined;
  try {
    ended = await driver(context, spec, toJson(input));
  } catch (error) {
    if (error instanceof JournalUsedUp) ({ waitsFor } = error);
    else if (isTroupeError(error) && error.code === "workflow.journal-mismatch")
      differs("decision", context.ahead?.name ?? "", error.message);
    else {
      // As an engine ends a run whose driver throws.
      const broken = brokenRun(run.runId);
      ended = broken.outcome;
      context.told.set("finish", broken.event);
    }
  }
  if (ended !== undefined && context.ahead !== undefined)
    differs(
      "decision",
      context.ahead.name,
      `the driver ends before entry ${context.replayed}, "${context.ahead.name}"`,
    );
  if (waitsFor !== undefined && outcome !== null)
    differs(
      "decision",
      "end",
      `the run has ended, but the driver waits for ${waitsFor.map((id) => `"${id}"`).join(", ")}`,
    );
  const comparable = tellsFinders(outcome) ? (value: unknown) => value : withoutFinders;
  const same = (one: unknown, other: unknown): boolean =>
    sameJson(
      cleanJson(comparable(currentForm(one)), scrub),
      cleanJson(comparable(currentForm(other)), scrub),
    );
  // What follows from another decision is no news.
  if (differences.length === 0) {
    compareEvents(exported.events, context.told, { same, differs, ended: ended !== undefined });
    if (ended !== undefined && outcome !== null) compareOutcomes(outcome, ended, { same, differs });
  }
  return {
    v: 1,
    runId: run.runId,
    result: differences.length > 0 ? "differs" : outcome === null ? "open" : "same",
    entries: context.replayed,
    recorded: journal.length,
    events: context.told.size,
    differences,
    ...(waitsFor === undefined || outcome !== null ? {} : { waitsFor }),
  };
}

interface Compare {
  readonly same: (one: unknown, other: unknown) => boolean;
  readonly differs: (where: ReplayDifference["where"], name: string, message: string) => void;
}

function compareEvents(
  recorded: readonly LoggedEvent[],
  told: ReadonlyMap<string, AgentEvent>,
  { same, differs, ended }: Compare & { readonly ended: boolean },
): void {
  const known = new Map(recorded.map(({ key, event }) => [key, event]));
  for (const [key, event] of told) {
    const before = known.get(key);
    // Of an open run the last ones may not have been kept yet.
    if (before === undefined && ended)
      differs("event", key, `the driver tells "${key}" (${event.type}), which was not told`);
    else if (before !== undefined && !same(before, event))
      differs(
        "event",
        key,
        `the driver tells "${key}" (${event.type}) with another ${changed(before, event, same)}`,
      );
  }
  for (const [key, event] of known)
    if (!told.has(key) && isOwn(key, event))
      differs("event", key, `the driver does not tell "${key}" (${event.type})`);
}

/** What the driver itself tells; agents and the synthesis are not asked again. */
function isOwn(key: string, event: AgentEvent): boolean {
  return event.stepId === undefined && !key.startsWith("synthesize/");
}

/** What an outcome did not tell when the first runs were exported; one that lacks it is no other for that. */
const TOLD_SINCE: ReadonlySet<string> = new Set(["answerFrom"] satisfies (keyof RunOutcome)[]);

/** Nor did it tell who found what. */
function tellsFinders(outcome: RunOutcome | null): boolean {
  const found = [...(outcome?.citations ?? []), ...(outcome?.response.data?.charts ?? [])];
  return found.some(({ foundBy }) => foundBy !== undefined);
}

function withoutFinders(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFinders);
  if (typeof value !== "object" || value === null) return value;
  const told = Object.entries(value).filter(([key]) => key !== "foundBy");
  return Object.fromEntries(told.map(([key, inner]) => [key, withoutFinders(inner)]));
}

/**
 * Responses as this version writes them, their sources numbered in order of appearance: earlier versions
 * had the question in `user_input`, renumbered the sources of the answer when the run ended, and cited tables by their
 * ids.
 */
function currentForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(currentForm);
  if (typeof value !== "object" || value === null) return value;
  const response = "is_task_complete" in value ? agentResponseSchema.safeParse(value).data : undefined;
  if (response !== undefined) {
    const { tables = [], ...rest } = response.data ?? {};
    const named = new Set(referencedIds(response.content));
    const cited = tables.map((table) => (named.has(table.id) ? { number: table.id, ...table } : table));
    const ordered = inOrderOfAppearance({ ...response, tables: cited });
    const data = response.data?.tables === undefined ? response.data : { ...rest, tables: ordered.tables };
    const { tables: _, ...numbered } = ordered;
    return { ...response, ...numbered, data };
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, currentForm(inner)]));
}

/** The numbers of all sources together follow from those of the answer. */
function withoutNumbers(outcome: RunOutcome): object {
  if (!("citations" in outcome)) return outcome;
  const citations = outcome.citations.map(({ id: _, ...citation }) => citation);
  return { ...outcome, citations: citations.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)) };
}

function compareOutcomes(recorded: RunOutcome, ended: RunOutcome, { same, differs }: Compare): void {
  const told = Object.entries(withoutNumbers(ended)).filter(
    ([key]) => key in recorded || !TOLD_SINCE.has(key),
  );
  const comparable = Object.fromEntries(told);
  const before = withoutNumbers(recorded);
  if (same(before, comparable)) return;
  const parts = changed(before, comparable, same);
  differs("outcome", parts, `the run ends with another ${parts}`);
}

/** Names of the parts that are not the same. */
function changed(one: object, other: object, same: Compare["same"]): string {
  const before = new Map<string, unknown>(Object.entries(one));
  const after = new Map<string, unknown>(Object.entries(other));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.filter((name) => !same(before.get(name), after.get(name))).join(", ");
}

/** Whatever the order of their keys. */
function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}

const unasked = (): never => {
  throw new TypeError("a replay asks nobody");
};
const nobody: AgentGateway = { send: unasked, await: unasked, cancel: unasked };
const silentModel: Model = { id: "replay", stream: unasked };
const stopped: Clock = { now: () => 0, schedule: () => () => undefined, sleep: unasked };
// oxlint-disable-next-line require-yield -- nothing is read back in a replay
async function* unread(): AsyncGenerator<never> {}
