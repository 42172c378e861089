import { virtualClock } from "@troupe/core/testing";
import type { AgentEvent } from "@troupe/stream";

import { toJson } from "../../engine/json.ts";
import { CANCEL_SIGNAL, type SignalAnswer } from "../../engine/port.ts";
import type { RunInput, RunOutcome } from "../../engine/run.ts";
import type { LoggedEvent } from "../../engine/run-log.ts";
import { eventsSoFar } from "../../engine/events-so-far.ts";
import type { DagSpec } from "../../schema/spec.ts";
import { ranSpec } from "../../runs/retry-input.ts";
import { memoryEventLog, type MemoryEventLog } from "../memory-event-log.ts";
import { memoryJournal, type MemoryJournal } from "../memory-journal.ts";
import { scriptedGateway, type ScriptedGateway } from "../scripted-gateway.ts";
import { diceOf, type Dice } from "./dice.ts";
import { machine } from "./machine.ts";
import type { Death } from "./mortal.ts";
import { people, type People } from "./people.ts";
import { randomAgents } from "./random-agents.ts";
import { randomWriter } from "./random-writer.ts";
import { randomWorkflow } from "./random-workflow.ts";

export const RUN = "run";

/** Everything that can be known of a run that was simulated. */
export interface Simulated {
  /** What it was begun with. */
  readonly begun: DagSpec;
  /** The same with the steps that were added. */
  readonly spec: DagSpec;
  /** Undefined when it had not ended after all the time it could need. */
  readonly outcome: RunOutcome | undefined;
  readonly journal: MemoryJournal;
  readonly gateway: ScriptedGateway;
  readonly events: readonly AgentEvent[];
  /** The same, with where and when they were kept. */
  readonly logged: readonly LoggedEvent[];
  readonly people: People;
  /** What whoever canceled it was told; undefined where nobody did. */
  readonly cancel: SignalAnswer | undefined;
  /** Messages that were sent for a step whose result was in the journal already. */
  readonly redone: readonly string[];
  readonly deaths: number;
  /** How often it was taken up by its rows: begun, gone on with after a death, or woken. */
  readonly takenUp: number;
  /** From the first look at it to its end, in milliseconds. */
  readonly tookMs: number;
}

/** What is decided beforehand; it follows from the seed where it is left out. */
export interface SimulateOptions {
  readonly spec?: DagSpec;
  readonly deaths?: readonly Death[];
  readonly cancelAtMs?: number | undefined;
  readonly sleep?: Sleep;
  /** What is asked beside the objective, such as to keep what an earlier run found. */
  readonly input?: Partial<RunInput>;
  /** A model writes its answer, and may add steps to its plan. */
  readonly replans?: boolean;
  /** Its plan waits for a person's word. */
  readonly approval?: RunInput["approval"];
}

/** Whether a run is let go of while it waits: never, where it is worth it, or whenever it may be. */
export type Sleep = "never" | "by-default" | "always";

const SHORTEST_SLEEP_MS = { never: Infinity, "by-default": undefined, always: 0 } as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** More than any run takes of which every step ends by itself. */
const LIMIT = 240 * HOUR;

/** One run in its own time: random steps, agents, people, deaths and restarts, all of them by the seed. */
export async function simulateRun(seed: string, options: SimulateOptions = {}): Promise<Simulated> {
  const dice = diceOf(seed);
  const clock = virtualClock();
  const spec = withReplans(seed, options.spec ?? randomWorkflow(dice), options);
  const deaths = options.deaths ?? randomDeaths(dice);
  const cancelAtMs = "cancelAtMs" in options ? options.cancelAtMs : randomCancel(dice);
  // Chance of its own: whether it sleeps changes nothing else of a run.
  const sleep = options.sleep ?? diceOf(`${seed}/sleep`).pick(["never", "by-default", "always"]);
  const kept = memoryJournal();
  let takenUp = 0;
  const journal: MemoryJournal = {
    ...kept,
    load(runId) {
      takenUp++;
      return kept.load(runId);
    },
  };
  const gateway = scriptedGateway(randomAgents(seed), clock);
  const redone: string[] = [];
  const noted = { ...gateway, send: noting(gateway, journal, redone) };
  const log = noticing(
    memoryEventLog(() => clock.now()),
    (event) => {
      if (event.type === "input-required") crowd.asked(event.request);
    },
  );
  const shortestSleepMs = SHORTEST_SLEEP_MS[sleep];
  const writer = spec.maxReplans === undefined ? {} : randomWriter(seed, spec);
  const host = machine({ clock, dice, journal, log, gateway: noted, deaths, shortestSleepMs, writer });
  const crowd = people({ runId: RUN, dice, spec, clock, machine: host });

  const approval = options.approval ?? randomApproval(seed, options);
  const asked = { objective: "the objective", ...(approval && { approval }), ...options.input };
  const input = toJson(asked);
  const begun = host.ask((engine) => engine.start(spec, input, { runId: RUN }));
  let cancel: SignalAnswer | undefined;
  const stop = async (): Promise<void> => {
    const reason = { reason: "enough" };
    cancel = await host.ask((engine) =>
      engine.signal(RUN, CANCEL_SIGNAL, reason, { idempotencyKey: "stop" }),
    );
  };
  if (cancelAtMs !== undefined) clock.schedule(cancelAtMs, () => void stop());

  const over = (): RunOutcome | undefined => journal.outcome(RUN) ?? undefined;
  for (let passed = 0; over() === undefined && passed < LIMIT; passed += HOUR) await clock.advance(HOUR);
  await begun;
  // Agents that are told to stop, and people who answer late.
  await clock.advance(2 * HOUR);
  await host.close();
  const logged = await eventsSoFar(log, RUN);
  const events = logged.map(({ event }) => event);
  const outcome = over();
  const view = await log.view(RUN);
  return {
    begun: spec,
    spec: ranSpec({ spec, outcome: outcome ?? null }),
    outcome,
    journal: kept,
    gateway,
    events,
    logged,
    people: crowd,
    cancel,
    redone,
    deaths: host.deaths(),
    takenUp,
    tookMs: (view?.endedAt ?? Infinity) - (view?.createdAt ?? 0),
  };
}

/** Chance of its own: whether its plan may be revised changes nothing else of a run. */
function withReplans(seed: string, spec: DagSpec, { replans, input }: SimulateOptions): DagSpec {
  const dice = diceOf(`${seed}/replans`);
  if (replans ?? (input === undefined && dice.chance(0.3)))
    return { ...spec, final: "synthesize", maxReplans: 1 + dice.below(2) };
  return spec;
}

/** Chance of its own: whether its plan is approved first changes nothing else of a run. */
function randomApproval(seed: string, { spec, input }: SimulateOptions): RunInput["approval"] | undefined {
  const dice = diceOf(`${seed}/approval`);
  if (spec !== undefined || input !== undefined || !dice.chance(0.1)) return undefined;
  return { workflow: {}, ...(dice.chance(0.3) ? { expiresMs: 20 * MINUTE } : {}) };
}

function randomDeaths(dice: Dice): readonly Death[] {
  return Array.from({ length: dice.below(5) }, () => ({ write: 1 + dice.below(40), kept: dice.chance(0.5) }));
}

function randomCancel(dice: Dice): number | undefined {
  return dice.chance(0.2) ? dice.below(dice.chance(0.5) ? MINUTE : 10 * MINUTE) : undefined;
}

function noticing(log: MemoryEventLog, notice: (event: AgentEvent) => void): MemoryEventLog {
  return {
    ...log,
    append(runId, key, event) {
      log.append(runId, key, event);
      notice(event);
    },
  };
}

/** Notes what is sent for a step that has its result in the journal. */
function noting(gateway: ScriptedGateway, journal: MemoryJournal, redone: string[]): ScriptedGateway["send"] {
  return (agent, request, options) => {
    const [, label = ""] = request.messageId.split("/");
    const [step = ""] = label.split("#");
    // One that was given up while it was under way is sent all the same, or it could not be canceled.
    const givenUp = journal.entries(RUN).some(({ name }) => name.startsWith(`timer:${label}/timeout`));
    if (!givenUp && finished(journal, step)) redone.push(request.messageId);
    return gateway.send(agent, request, options);
  };
}

function finished(journal: MemoryJournal, step: string): boolean {
  return journal.entries(RUN).some(({ name, value }) => {
    if (!name.startsWith(`${step}#`) || !name.endsWith("/await") || !value.ok) return false;
    const { value: awaited } = value.value as {
      readonly value?: { readonly result?: { readonly outcome?: string } };
    };
    return awaited?.result?.outcome === "completed" || awaited?.result?.outcome === "partial";
  });
}
