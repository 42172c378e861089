import { silentLog } from "@troupe/core";
import type { VirtualClock } from "@troupe/core/testing";

import { createDagDriver } from "../../driver/create-dag-driver.ts";
import type { DagDriverOptions } from "../../driver/options.ts";
import type { HostedEngine } from "../../engine/port.ts";
import { JournalEngine } from "../../embedded/journal-engine.ts";
import type { Journal } from "../../embedded/journal.ts";
import type { MemoryEventLog } from "../memory-event-log.ts";
import type { ScriptedGateway } from "../scripted-gateway.ts";
import type { Dice } from "./dice.ts";
import {
  mortal,
  mortalClock,
  mortalGateway,
  mortalJournal,
  mortalLog,
  type Death,
  type Mortal,
} from "./mortal.ts";

export interface Machine {
  /** Asks the engine, again and again until there is one that lives for long enough to answer. */
  ask<T>(question: (engine: HostedEngine) => Promise<T>): Promise<T>;
  /** Processes that died so far. */
  deaths(): number;
  close(): Promise<void>;
}

export interface MachineOptions {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly journal: Journal;
  readonly log: MemoryEventLog;
  readonly gateway: ScriptedGateway;
  /** Of the first process, the second and so on; those after them live. */
  readonly deaths: readonly Death[];
  /** Writes answers and asks for more steps; the steps' answers are joined without. */
  readonly writer?: Pick<DagDriverOptions, "model" | "replan">;
  /** Of the engine; its own by default. */
  readonly shortestSleepMs: number | undefined;
}

/** Milliseconds at most until a new process begins after one has died. */
const LONGEST_AWAY = 120_000;

const DEAD = Symbol("dead");

interface Present {
  readonly engine: HostedEngine;
  readonly process: Mortal;
}

/** Runs an engine in one process after another, each of which begins some time after the one before it died. */
export function machine(options: MachineOptions): Machine {
  const { clock, dice, journal, log, gateway, deaths, shortestSleepMs } = options;
  let count = 0;
  let ids = 0;
  let closed = false;
  let present: Present | undefined;
  let next = Promise.withResolvers<Present>();

  const boot = async (): Promise<void> => {
    const process = mortal();
    const own = mortalClock(clock, process);
    void process.killed.then(() => {
      if (present !== undefined) next = Promise.withResolvers();
      present = undefined;
      count++;
      if (!closed) clock.schedule(dice.below(LONGEST_AWAY), () => void boot());
      return undefined;
    });
    const events = mortalLog(log, process);
    const engine = new JournalEngine({
      journal: mortalJournal(journal, process, { clock: own, dice, death: deaths[count] }),
      events,
      clock: own,
      log: silentLog,
      newId: () => "id",
      ...(shortestSleepMs === undefined ? {} : { shortestSleepMs }),
    });
    const calls = mortalGateway(gateway, process, { clock: own, dice });
    await engine.register(
      createDagDriver({
        gateway: calls,
        eventLog: events,
        clock: own,
        newId: () => `x${++ids}`,
        ...options.writer,
      }),
    );
    if (!process.alive) return;
    present = { engine, process };
    next.resolve(present);
  };
  void boot();

  return {
    async ask(question) {
      for (;;) {
        const { engine, process } = present ?? (await next.promise);
        const dead = process.killed.then((): typeof DEAD => DEAD);
        const answer = await Promise.race([question(engine), dead]);
        if (answer !== DEAD) return answer;
      }
    },
    deaths: () => count,
    async close() {
      closed = true;
      await present?.engine.close();
    },
  };
}
