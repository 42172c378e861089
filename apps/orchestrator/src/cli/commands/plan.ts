import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { InputError } from "@troupe/core";
import { planIn } from "@troupe/workflow";

import type { CliContext } from "../context.ts";
import { planYaml } from "../decide-plan.ts";
import { EXIT, exitCodeOf } from "../exit-codes.ts";
import { connect } from "../follow.ts";
import { harmless } from "../render/harmless.ts";
import { findRun } from "../runs.ts";
import { useServers } from "../servers.ts";
import { shellWord, typed } from "../typed.ts";

export interface PlanOptions {
  readonly task?: string;
  readonly collection?: string;
  /** File that the plan is written to. */
  readonly save?: string;
  /** Id of a run that waits with its plan, or how one begins. */
  readonly run?: string;
}

/** Prints the workflow that would run, as YAML that `run --workflow` takes, or writes it to a file. */
export async function plan(context: CliContext, options: PlanOptions): Promise<number> {
  const { task = "", save, run } = options;
  if ((task.trim() === "") === (run === undefined))
    throw new InputError(
      "input.invalid",
      `Say what to plan, ${typed(context, 'plan "..."')}, or which run waits with its plan, ${typed(context, "plan --run RUN")}.`,
    );
  // Before a model is asked for it.
  if (save !== undefined && existsSync(resolve(context.cwd, save))) throw isThere(save);
  const servers = await useServers(context);
  try {
    if (run === undefined) return await newPlan(context, servers.url, options);
    const { runId, requests } = await findRun(servers.url, run, context.token);
    const [waiting] = requests.flatMap(({ request }) => planIn(request) ?? []);
    if (waiting === undefined)
      throw new InputError("input.invalid", `Run ${runId} does not wait for its plan to be approved.`);
    return hand(context, planYaml(waiting), save, (file) => `answer ${runId} --workflow ${file}`);
  } finally {
    await servers.release();
  }
}

async function newPlan(context: CliContext, url: string, options: PlanOptions): Promise<number> {
  const remote = await connect(context, url);
  const request = {
    text: options.task ?? "",
    ...(options.collection === undefined ? {} : { collectionId: options.collection }),
    metadata: { plan_only: true },
  };
  for await (const event of remote.stream(request, { signal: context.interrupted })) {
    if (event.type !== "finish" || event.stepId !== undefined) continue;
    if (event.outcome === "completed") {
      const { task = "", collection } = options;
      // What the plan was made for is no part of it.
      const on = collection === undefined ? "" : ` --collection ${shellWord(collection)}`;
      const run = (file: string): string => `run ${shellWord(harmless(task))} --workflow ${file}${on}`;
      return hand(context, event.response.content, options.save, run);
    }
    context.err(`${event.error?.message ?? "There is no plan for this."}\n`);
    return exitCodeOf(event.outcome, event.error?.code);
  }
  return EXIT.failed;
}

/** @param use the command that takes the plan from the file it is in */
function hand(
  context: CliContext,
  yaml: string,
  save: string | undefined,
  use: (file: string) => string,
): number {
  if (save === undefined) {
    context.out(yaml);
    return EXIT.completed;
  }
  try {
    writeFileSync(resolve(context.cwd, save), yaml, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw isThere(save);
    throw new InputError(
      "input.invalid",
      `The plan cannot be written to "${save}": ${(error as Error).message}.`,
      {
        cause: error,
      },
    );
  }
  context.err(`The plan is in ${save}. Run it with\n  ${typed(context, use(shellWord(save)))}\n`);
  return EXIT.completed;
}

function isThere(file: string): InputError {
  return new InputError("input.invalid", `"${file}" is there already. Name a file that is not.`);
}
