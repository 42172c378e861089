import { existsSync } from "node:fs";

import type { RunView } from "@troupe/workflow";

import { getJson } from "../../adapters/get-json.ts";
import { unservedView } from "../../orchestrator/interruption.ts";
import { readRuns, runsFile } from "../../orchestrator/state.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { harmless } from "../render/harmless.ts";
import { findRunning } from "../servers.ts";
import { answerCommands } from "../waiting.ts";

/** What ran, newest first. Works with and without running servers. */
export async function runs(context: CliContext, options: { readonly json: boolean }): Promise<number> {
  const url = await findRunning(context.home);
  const views =
    url === undefined
      ? await stored(context)
      : ((await getJson(`${url}/api/runs`, context.token)) as readonly RunView[]);
  if (options.json) {
    context.out(`${JSON.stringify(views)}\n`);
    return EXIT.completed;
  }
  if (views.length === 0) context.out("No runs yet.\n");
  for (const view of views) {
    const status = view.status === "input-required" ? "waiting" : view.status;
    const when = new Date(view.createdAt).toISOString().replace("T", " ").slice(0, 19);
    context.out(`${view.runId}  ${when}  ${status.padEnd(14)}  ${harmless(view.objective || view.name)}\n`);
    if (view.reason !== undefined && (view.steps.length === 0 || view.status === "interrupted"))
      context.out(`    ${harmless(view.reason)}\n`);
    for (const step of view.steps) {
      const reason = step.reason === undefined ? "" : `: ${harmless(step.reason)}`;
      context.out(`    ${step.id}  ${step.agent || "person"}  ${step.state.replace("_", " ")}${reason}\n`);
    }
    for (const asked of view.requests)
      for (const line of answerCommands(context, view.runId, asked)) context.out(`  ${line}\n`);
  }
  return EXIT.completed;
}

async function stored(context: CliContext): Promise<readonly RunView[]> {
  return existsSync(runsFile(context.home)) ? (await readRuns(context)).map(unservedView) : [];
}
