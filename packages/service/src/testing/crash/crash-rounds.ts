import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent, type RemoteAgent } from "@troupe/a2a/client";
import { systemClock } from "@troupe/core";
import { freePort, mortalProcess, randomFrom, within, type MortalProcess } from "@troupe/core/testing";

import { checkHome, checkKept, tornFiles } from "./check-home.ts";
import { checkTask } from "./check-task.ts";
import { follow, type Followed } from "./follow.ts";
import { getTask } from "./wire-task.ts";

export interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Tasks at once in a round. */
  readonly tasks?: number;
  readonly say?: (line: string) => void;
}

export interface CrashReport {
  readonly rounds: number;
  readonly tasks: number;
  readonly completed: number;
  /** Ended as FAILED because the agent was killed. */
  readonly cutOff: number;
  /** Times a client took a task up again. */
  readonly rejoined: number;
  readonly files: number;
  /** From the new process's ready line until every task that was there before had settled. */
  readonly slowestMs: number;
  /** Empty when everything held. */
  readonly problems: readonly string[];
}

/** A task that was cut off must have ended so soon after the restart. */
const SETTLED_WITHIN_MS = 10_000;
const ROUND_MS = 60_000;

/**
 * Kills an agent (-9) at random moments while it works on tasks and writes files, starts it again on what
 * it left, and checks after each time that nothing was lost, doubled, torn or left as working.
 */
export async function crashRounds(options: CrashOptions): Promise<CrashReport> {
  const { rounds, seed, tasks: atOnce = 12, say = () => undefined } = options;
  const random = randomFrom(seed);
  const home = await mkdtemp(join(tmpdir(), "troupe-crash-"));
  const port = await freePort();
  const all: Followed[] = [];
  const seen = new Set<string>();
  const problems: string[] = [];
  let slowestMs = 0;
  const agent = mortalProcess(new URL("crash-agent.ts", import.meta.url), [home, String(port)]);
  try {
    const remote = await connectAgent(await agent.ready());
    for (let round = 1; round <= rounds && problems.length === 0; round++) {
      const begun = workOfRound(random, round, atOnce);
      const plan = {
        killAfterMs: within(random, [0, 700]),
        // Now and then it is killed again before it has got over the first time.
        again: random() < 0.2 ? within(random, [50, 600]) : undefined,
      };
      const name = `round ${round} of seed ${seed}, killed after ${plan.killAfterMs} ms${plan.again === undefined ? "" : ` and ${plan.again} ms`}`;
      const signal = AbortSignal.timeout(ROUND_MS);
      try {
        const settledMs = await crashOnce({ agent, remote, begun, signal, ...plan });
        slowestMs = Math.max(slowestMs, settledMs);
        all.push(...begun);
        if (settledMs > SETTLED_WITHIN_MS) problems.push(`settled only after ${settledMs} ms`);
        for (const task of begun) problems.push(...(await checkTask(remote, task, signal)));
        problems.push(...(await checkHome(home, remote.url, all)));
        problems.push(...(await tornFiles(home, seen)).map((file) => `${file} is torn`));
        const cut = begun.filter(({ finish }) => finish?.outcome === "failed").length;
        say(`${name}: ${begun.length - cut} completed, ${cut} cut off, settled in ${settledMs} ms`);
      } catch (error) {
        problems.push(textOf(error));
        for (const { work, taskId, finish, lastError } of begun)
          if (finish === undefined) problems.push(`${work.key}, task ${taskId}: open; ${textOf(lastError)}`);
      }
      for (const problem of problems) say(`${name}: ${problem}`);
    }
    if (problems.length === 0) problems.push(...(await checkKept(remote.url, all)));
  } finally {
    await agent.kill();
    // What it left is there to look at when something is wrong.
    if (problems.length === 0) await rm(home, { recursive: true, force: true });
    else say(`the home is ${home}`);
  }
  return {
    rounds,
    tasks: all.length,
    completed: all.filter(({ finish }) => finish?.outcome === "completed").length,
    cutOff: all.filter(({ finish }) => finish?.outcome === "failed").length,
    rejoined: all.reduce((sum, task) => sum + task.rejoined, 0),
    files: seen.size,
    slowestMs,
    problems,
  };
}

interface Round {
  readonly agent: MortalProcess;
  readonly remote: RemoteAgent;
  readonly begun: readonly Followed[];
  readonly signal: AbortSignal;
  readonly killAfterMs: number;
  readonly again: number | undefined;
}

/**
 * Resolves when every task has ended for its client: with how long it took from the restart until those
 * that were there before had settled, in milliseconds.
 */
async function crashOnce(round: Round): Promise<number> {
  const { agent, remote, begun, signal } = round;
  const ended = Promise.all(begun.map((task) => follow(remote, task, signal)));
  // Heard of below, where it is waited for.
  ended.catch(() => undefined);
  await systemClock.sleep(round.killAfterMs);
  await agent.kill();
  const accepted: string[] = [];
  for (const task of begun) {
    if (task.taskId !== undefined) accepted.push(task.taskId);
    task.endedBefore = task.finish !== undefined;
  }
  if (round.again !== undefined) {
    agent.begin();
    await systemClock.sleep(round.again);
    await agent.kill();
  }
  agent.begin();
  await agent.ready();
  const ready = systemClock.now();
  for (const taskId of accepted) await settled(remote.url, taskId, signal);
  const settledMs = systemClock.now() - ready;
  await ended;
  return settledMs;
}

const LOOK_EVERY_MS = 100;

async function settled(url: string, taskId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { status } = await getTask(url, taskId);
    if (status.state !== "TASK_STATE_WORKING") return;
    await systemClock.sleep(LOOK_EVERY_MS, signal);
  }
}

function workOfRound(random: () => number, round: number, count: number): Followed[] {
  return Array.from({ length: count }, (_, at) => {
    const key = `r${round}-t${at}`;
    const work = {
      key,
      files: within(random, [0, 2]),
      bytes: within(random, [1, 300_000]),
      pieces: within(random, [1, 60]),
      pauseMs: within(random, [0, 15]),
    };
    return { work, messageId: `message-${key}`, files: [], rejoined: 0 };
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
