import { AgentError } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { AgentEvent, InputRequest, StepState } from "@troupe/stream";

import { answerSignal } from "../../engine/answer-signal.ts";
import { CANCEL_SIGNAL } from "../../engine/port.ts";
import type { RunOutcome } from "../../engine/run.ts";
import { memoryEventLog } from "../memory-event-log.ts";
import { memoryJournal, type MemoryJournal } from "../memory-journal.ts";
import { scriptedGateway, type AgentScript, type ScriptedTurn } from "../scripted-gateway.ts";
import type { Dice } from "../simulation/dice.ts";
import { QUESTION } from "../simulation/random-agents.ts";
import { machine } from "../simulation/machine.ts";
import type { Death } from "../simulation/mortal.ts";
import type { Deed, ModelCase } from "./cases.ts";

/** What happens beside the steps. */
export interface Trouble {
  /** The process dies of this write, and another goes on at once. */
  readonly death?: Death;
  /** The run is canceled once so many entries are journaled. */
  readonly cancelAfter?: number;
}

/** What can be seen of a run from outside. */
export interface Tried {
  readonly outcome: RunOutcome | undefined;
  /** The states steps went to, with when. */
  readonly moves: readonly { readonly step: string; readonly to: StepState; readonly at: number }[];
  /** Entries of its journal. */
  readonly entries: readonly string[];
  /** Steps in the order in which work on them was begun, once for each attempt. */
  readonly sent: readonly string[];
  readonly peak: number;
  readonly left: number;
}

const RUN = "run";
const MINUTE = 60_000;

/** Nothing takes time but agents and people. */
const NO_CHANCE: Dice = { below: () => 0, chance: () => false, pick: (from) => from[0] };

/** One run of a case, in memory and in its own time. */
export async function tryCase(
  { steps, spec }: ModelCase,
  { death, cancelAfter }: Trouble = {},
): Promise<Tried> {
  const clock = virtualClock();
  const journal = memoryJournal();
  const gateway = scriptedGateway(agentsOf(steps.map(({ deed }) => deed)), clock);
  const moves: Tried["moves"][number][] = [];
  const log = memoryEventLog(() => clock.now());
  const seen = new Set<string>();
  const notice = (event: AgentEvent): void => {
    if (event.type === "step-status" && event.stepId === undefined)
      moves.push({ step: event.step, to: event.state, at: clock.now() });
    if (event.type === "input-required") clock.schedule(10, () => void answer(event.request));
  };
  const noticing = {
    ...log,
    append(runId: string, key: string, event: AgentEvent): void {
      log.append(runId, key, event);
      if (!seen.has(key)) notice(event);
      seen.add(key);
    },
  };
  const host = machine({
    clock,
    dice: NO_CHANCE,
    shortestSleepMs: Infinity,
    journal: counting(journal, cancelAfter, () => void cancel()),
    log: noticing,
    gateway,
    deaths: death === undefined ? [] : [death],
  });
  const tell = (name: string, value: object): Promise<unknown> =>
    host.ask((engine) => engine.signal(RUN, name, { ...value }, { idempotencyKey: name }));
  const answer = ({ requestId }: InputRequest): Promise<unknown> =>
    tell(answerSignal(requestId), { requestId, values: { word: "yes" } });
  const cancel = (): Promise<unknown> => tell(CANCEL_SIGNAL, { reason: "enough" });

  const begun = host.ask((engine) => engine.start(spec, { objective: "it" }, { runId: RUN }));
  for (let passed = 0; !journal.outcome(RUN) && passed < 10; passed++) await clock.advance(MINUTE);
  await begun;
  const outcome = journal.outcome(RUN) ?? undefined;
  await host.close();
  return {
    outcome,
    moves,
    entries: journal.names(RUN),
    sent: gateway.calls.map(({ request }) => request.delegation.instruction.replace("do ", "")),
    peak: gateway.peak,
    left: gateway.running,
  };
}

/** Earlier steps take longer, so that ends do not come in the order of beginnings. */
function agentsOf(deeds: readonly Deed[]): AgentScript {
  const tries = new Map<string, number>();
  return ({ messageId }, agent) => {
    const at = Number(agent.replace("agent-", ""));
    const attempt = messageId.split(".")[0] ?? "";
    const first = attempt.endsWith("#1");
    const turn = (tries.get(attempt) ?? 0) + 1;
    tries.set(attempt, turn);
    return turnOf(deeds[at] ?? "completes", { ms: 100 * (deeds.length - at), first, asked: turn > 1 });
  };
}

function turnOf(
  deed: Deed,
  { ms, first, asked }: { readonly ms: number; readonly first: boolean; readonly asked: boolean },
): ScriptedTurn {
  const retryable = true;
  switch (deed) {
    case "partial":
      return { ms, result: { outcome: "partial" } };
    case "fails":
      return {
        ms,
        result: { outcome: "failed", answer: "", error: { code: "agent.failed", message: "no" } },
      };
    case "flaky":
      return first ? { refuse: new AgentError("agent.busy", "not now", { retryable }) } : { ms };
    case "stuck":
      return { never: true };
    case "asks":
      return asked ? { ms } : { ms, result: { outcome: "input-required", answer: "", request: QUESTION } };
    case "lost":
      return first ? { ms, break: new AgentError("agent.task-lost", "gone", { retryable }) } : { ms };
    case "stopped":
      return { ms, result: { outcome: "canceled", answer: "" } };
    default:
      return { ms };
  }
}

function counting(journal: MemoryJournal, at: number | undefined, then: () => void): MemoryJournal {
  return {
    ...journal,
    async addEntry(...entry) {
      await journal.addEntry(...entry);
      if (journal.names(RUN).length === at) then();
    },
  };
}
