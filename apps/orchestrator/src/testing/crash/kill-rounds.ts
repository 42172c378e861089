import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent, type RemoteAgent } from "@troupe/a2a/client";
import { systemClock } from "@troupe/core";
import { mortalProcess, randomFrom, within, type MortalProcess } from "@troupe/core/testing";
import { openEmbeddedEngine } from "@troupe/workflow";

import { runsFile } from "../../orchestrator/state.ts";
import { freePorts } from "../../supervisor/free-port.ts";
import { checkBegun, checkRun } from "./check-run.ts";
import { followRun } from "./follow-run.ts";
import { randomRun, WORKERS, type AskedRun } from "./round-runs.ts";

const AT_ONCE = 6;
/** More than a round can take on a machine that does much else. */
const ROUND_MS = 90_000;

export interface KillReport {
  readonly rounds: number;
  readonly runs: number;
  readonly completed: number;
  readonly canceled: number;
  /** Of the orchestrator and of workers. */
  readonly kills: number;
  readonly workerKills: number;
  /** Answers given before their step's turn or while it asked. */
  readonly answers: number;
  /** From the last restart of a round until all its runs had ended, in milliseconds. */
  readonly slowestMs: number;
  /** What did not hold; empty when all is well. */
  readonly problems: readonly string[];
}

/**
 * Kills a real orchestrator, now and then one of its two agents with it, with kill -9 while runs are in
 * flight, starts it again on what is left and checks every run. A seed fixes the work and the moments, as
 * far as moments can be fixed. Stops at the first round in which something does not hold.
 */
export async function killRounds(o: {
  readonly rounds: number;
  readonly seed: number;
  readonly say?: (line: string) => void;
}): Promise<KillReport> {
  const { rounds, seed, say = () => undefined } = o;
  const random = randomFrom(seed);
  const folder = await mkdtemp(join(tmpdir(), "troupe-kill-"));
  const home = join(folder, "orchestrator");
  const [port = 0, ...ports] = await freePorts(1 + WORKERS.length);
  const homes = WORKERS.map((name) => join(folder, name));
  const workers = WORKERS.map((name, at) =>
    mortalProcess(new URL("worker-process.ts", import.meta.url), [homes[at] ?? "", String(ports[at]), name]),
  );
  const addresses = await Promise.all(workers.map((worker) => worker.ready()));
  const orchestrator = mortalProcess(new URL("orchestrator-process.ts", import.meta.url), [
    home,
    String(port),
    ...addresses,
  ]);
  const counts = {
    runs: 0,
    completed: 0,
    canceled: 0,
    kills: 0,
    workerKills: 0,
    answers: 0,
    slowestMs: 0,
  };
  const problems: string[] = [];
  try {
    const remote = await connectAgent(await orchestrator.ready());
    for (let round = 1; round <= rounds && problems.length === 0; round++) {
      const runs = Array.from({ length: AT_ONCE }, (_, at) => randomRun(random, `r${round}-${at}`));
      const plan = randomPlan(random, workers);
      const name = `round ${round} of seed ${seed}, killed after ${plan.killAfterMs.join(" and ")} ms${plan.worker === undefined ? "" : ", a worker too"}`;
      try {
        const { ended, settledMs } = await oneRound({ orchestrator, remote, runs, plan });
        counts.slowestMs = Math.max(counts.slowestMs, settledMs);
        const engine = openEmbeddedEngine({ path: runsFile(home) });
        for (const { run, view } of ended) {
          problems.push(...(await checkRun(run, view, engine)));
          counts.runs++;
          if (view.outcome === "completed") counts.completed++;
          if (view.outcome === "canceled") counts.canceled++;
          counts.answers += run.accepted.size;
        }
        await engine.close();
        const workerKills = plan.worker === undefined ? 0 : 1;
        counts.kills += plan.killAfterMs.length;
        counts.workerKills += workerKills;
        problems.push(...(await checkBegun(homes, runs, workerKills)));
        say(`${name}: ${ended.map(({ view }) => view.outcome).join(", ")}, all ended in ${settledMs} ms`);
      } catch (error) {
        problems.push(textOf(error));
      }
      for (const problem of problems) say(`${name}: ${problem}`);
    }
  } finally {
    await Promise.all([orchestrator, ...workers].map((one) => one.kill()));
    // What it left is there to look at when something is wrong.
    if (problems.length === 0) await rm(folder, { recursive: true, force: true });
    else say(`the homes are in ${folder}`);
  }
  return { rounds, ...counts, problems };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return `${error.name}: ${error.message}${cause === undefined ? "" : ` <- ${textOf(cause)}`}`;
}

interface Plan {
  /** The orchestrator, once, or once more while it starts again. */
  readonly killAfterMs: readonly number[];
  readonly worker: { readonly process: MortalProcess; readonly killAfterMs: number } | undefined;
}

function randomPlan(random: () => number, workers: readonly MortalProcess[]): Plan {
  const killAfterMs = [within(random, [0, 900])];
  if (random() < 0.2) killAfterMs.push(within(random, [50, 900]));
  const process = random() < 0.2 ? workers[within(random, [0, workers.length - 1])] : undefined;
  const worker = process && { process, killAfterMs: within(random, [0, 900]) };
  return { killAfterMs, worker };
}

async function oneRound(o: {
  readonly orchestrator: MortalProcess;
  readonly remote: RemoteAgent;
  readonly runs: readonly AskedRun[];
  readonly plan: Plan;
}) {
  const { orchestrator, plan } = o;
  const signal = AbortSignal.timeout(ROUND_MS);
  const following = Promise.all(
    o.runs.map(async (run) => ({ run, view: await followRun(o.remote, run, signal) })),
  );
  // Heard of below, where it is waited for.
  following.catch(() => undefined);
  await Promise.all([
    killed(plan.worker?.process, plan.worker === undefined ? [] : [plan.worker.killAfterMs]),
    killed(orchestrator, plan.killAfterMs),
  ]);
  const ready = systemClock.now();
  const ended = await following.catch((error: unknown) => {
    const open = o.runs.map(({ key, runId = "no name" }) => `${key} ${runId}`).join(", ");
    throw new Error(`not all ended (${open})`, { cause: error });
  });
  return { ended, settledMs: systemClock.now() - ready };
}

/** Each time after so long; resolves when it serves again. */
async function killed(process: MortalProcess | undefined, afterMs: readonly number[]): Promise<void> {
  for (const ms of afterMs) {
    await systemClock.sleep(ms);
    await process?.kill();
    process?.begin();
  }
  await process?.ready();
}
