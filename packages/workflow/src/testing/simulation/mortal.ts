import type { AgentGateway } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { Journal } from "../../embedded/journal.ts";
import type { RunLog } from "../../engine/run-log.ts";
import type { Dice } from "./dice.ts";

/**
 * A process that can be killed as kill -9 does: from then on nothing of it happens any more, no timer, no
 * answer, not even an abort.
 */
export interface Mortal {
  readonly alive: boolean;
  /** Resolves when it is killed. */
  readonly killed: Promise<void>;
  kill(): void;
}

export function mortal(): Mortal {
  const { promise: killed, resolve } = Promise.withResolvers<void>();
  let alive = true;
  return {
    get alive() {
      return alive;
    },
    killed,
    kill() {
      alive = false;
      resolve();
    },
  };
}

/** What a process that is gone waits for. */
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** Of whoever is dead by the time it answers nobody hears. */
async function whileAlive<T>(process: Mortal, work: () => Promise<T>): Promise<T> {
  if (!process.alive) return never();
  try {
    const value = await work();
    return process.alive ? value : await never();
  } catch (error) {
    if (!process.alive) return never();
    throw error;
  }
}

export function mortalClock(clock: Clock, process: Mortal): Clock {
  return {
    now: () => clock.now(),
    schedule: (ms, fn) =>
      clock.schedule(ms, () => {
        if (process.alive) fn();
      }),
    sleep: (ms, signal) => whileAlive(process, () => clock.sleep(ms, signal)),
  };
}

/** When the process is to die of which write, counted from 1: before it is on disk, or just after. */
export interface Death {
  readonly write: number;
  readonly kept: boolean;
}

/** Writes come to the disk some time later, in their order, and one of them may be the last. Reads are not changed. */
export function mortalJournal(
  journal: Journal,
  process: Mortal,
  o: { readonly clock: Clock; readonly dice: Dice; readonly death: Death | undefined },
): Journal {
  let writes = 0;
  let before: Promise<unknown> = Promise.resolve();
  const write = <T>(apply: () => Promise<T>): Promise<T> => {
    const work = whileAlive(process, async () => {
      await before.catch(() => undefined);
      if (o.dice.chance(0.5)) await o.clock.sleep(o.dice.below(20));
      if (!process.alive) return never<T>();
      const last = ++writes === o.death?.write;
      if (last && !o.death?.kept) {
        process.kill();
        return never<T>();
      }
      const value = await apply();
      if (last) process.kill();
      return value;
    });
    before = work;
    return work;
  };
  return {
    ...journal,
    addRun: (...args) => write(() => journal.addRun(...args)),
    endRun: (...args) => write(() => journal.endRun(...args)),
    addEntry: (...args) => write(() => journal.addEntry(...args)),
    addTimer: (...args) => write(() => journal.addTimer(...args)),
    addSignal: (...args) => write(() => journal.addSignal(...args)),
  };
}

export function mortalLog(log: RunLog, process: Mortal): RunLog {
  return {
    ...log,
    append(...args) {
      if (process.alive) log.append(...args);
    },
    begin: (...args) => whileAlive(process, () => log.begin(...args)),
  };
}

const SHORT_MS = 200;
/** There and back longer than the shortest timeout of a step, and shorter than a run waits at its end. */
const LONG_MS = 6_000;

/** Calls that take a moment to get there, and answers that take one to come back. */
export function mortalGateway(
  gateway: AgentGateway,
  process: Mortal,
  o: { readonly clock: Clock; readonly dice: Dice },
): AgentGateway {
  const away = (): Promise<void> => {
    if (o.dice.chance(0.4)) return Promise.resolve();
    return o.clock.sleep(o.dice.below(o.dice.chance(0.2) ? LONG_MS : SHORT_MS));
  };
  const call = <T>(work: () => Promise<T>): Promise<T> =>
    whileAlive(process, async () => {
      await away();
      if (!process.alive) return never();
      const value = await work();
      await away();
      return value;
    });
  return {
    send: (...args) => call(() => gateway.send(...args)),
    await: (agent, taskId, options) =>
      call(() =>
        gateway.await(agent, taskId, {
          ...options,
          onEvent: (event) => (process.alive ? options.onEvent?.(event) : undefined),
        }),
      ),
    cancel: (...args) => call(() => gateway.cancel(...args)),
  };
}
