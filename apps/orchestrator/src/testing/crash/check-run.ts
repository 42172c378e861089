import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { openEmbeddedEngine, RunOutcome, RunView } from "@troupe/workflow";

import { wordFor, type AskedRun } from "./round-runs.ts";
import { answerOf, fileBytes, fileName, sha256, type Work } from "./work.ts";
import { BEGUN_FILE } from "./worker-files.ts";

type EmbeddedEngine = ReturnType<typeof openEmbeddedEngine>;

/** What is wrong with a run that has ended; empty when all is as it must be. */
export async function checkRun(
  run: AskedRun,
  view: RunView,
  engine: Pick<EmbeddedEngine, "recorded" | "events">,
): Promise<readonly string[]> {
  const { runId = "" } = run;
  const outcome = (await engine.recorded(runId))?.outcome;
  if (!outcome) return [`${run.key} has no outcome on disk`];
  const problems = [
    ...(outcome.outcome === view.outcome
      ? []
      : [`it is told as ${view.outcome}, and was ${outcome.outcome}`]),
    ...(outcome.outcome === "canceled" && run.cancelAfterMs !== undefined
      ? []
      : checkCompleted(run, outcome)),
    ...(await checkFiles(outcome)),
    ...(await checkEvents(runId, engine.events)),
  ];
  return problems.map((problem) => `${run.key}, run ${runId}: ${problem}`);
}

function checkCompleted(run: AskedRun, { outcome, response, steps, error }: RunOutcome): readonly string[] {
  if (outcome !== "completed") return [`ended as ${outcome}: ${error?.message ?? JSON.stringify(steps)}`];
  const problems: string[] = [];
  for (const [id, work] of run.work) {
    const step = steps.find(({ stepId }) => stepId === id);
    if (step?.answer !== answerOf(work, work.asks ? wordFor(work.key) : undefined))
      problems.push(`${id} answered "${step?.answer ?? "nothing"}"`);
    const made = step?.artifacts.map(({ name }) => name).join() ?? "";
    if (made !== (work.makesFile ? fileName(work) : "")) problems.push(`${id} made "${made}"`);
  }
  for (const id of run.people) {
    const said = JSON.stringify(steps.find(({ stepId }) => stepId === id)?.data ?? null);
    if (!said.includes(wordFor(`${run.key}-${id}`))) problems.push(`${id} was taken to say ${said}`);
  }
  const end = run.work.get("end");
  if (end && response.content !== answerOf(end)) problems.push(`its answer is "${response.content}"`);
  return problems;
}

async function checkFiles({ artifacts }: RunOutcome): Promise<readonly string[]> {
  const problems = await Promise.all(
    artifacts.map(async ({ name, url, sha256: told }) => {
      const response = await fetch(url);
      const wanted = sha256(fileBytes({ key: name.replace(/\.txt$/, "") } as Work));
      const read = response.ok
        ? sha256(new Uint8Array(await response.arrayBuffer()))
        : `HTTP ${response.status}`;
      return told === wanted && read === wanted ? [] : [`${name} was read as ${read}, said to be ${told}`];
    }),
  );
  return problems.flat();
}

async function checkEvents(runId: string, events: EmbeddedEngine["events"]): Promise<readonly string[]> {
  const problems: string[] = [];
  let next = 0;
  const keys = new Set<string>();
  const ends: string[] = [];
  const { signal } = new AbortController();
  for await (const { position, key, event } of events.read(runId, { from: 0, signal })) {
    if (position !== next) problems.push(`event ${next} is missing`);
    next = position + 1;
    if (keys.has(key)) problems.push(`${key} is told twice`);
    keys.add(key);
    if (event.type === "finish" && event.stepId === undefined) ends.push(event.outcome);
  }
  const all = await events.end(runId);
  if (all !== next) problems.push(`${all - next} events after its end`);
  return problems;
}

/**
 * What workers began more often than they may. A step is begun once, and once more for each time its
 * worker was killed in the round: its work was lost with it then, and nobody else's.
 */
export async function checkBegun(
  homes: readonly string[],
  runs: readonly AskedRun[],
  kills: number,
): Promise<readonly string[]> {
  const logs = await Promise.all(
    homes.map((home) => readFile(join(home, BEGUN_FILE), "utf8").catch(() => "")),
  );
  const begun = new Map<string, number>();
  for (const line of logs.join("").split("\n")) begun.set(line, (begun.get(line) ?? 0) + 1);
  return runs.flatMap(({ work }) =>
    [...work.values()].flatMap(({ key }) =>
      [`${key} task`, `${key} reply`].flatMap((line) => {
        const times = begun.get(line) ?? 0;
        const most = 1 + kills;
        return times > most ? [`${line}: begun ${times} times, at most ${most} are right`] : [];
      }),
    ),
  );
}
