import { existsSync } from "node:fs";

import type { RunView } from "@troupe/workflow";

import { getJson } from "../../adapters/get-json.ts";
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
    url === undefined ? await stored(context) : ((await getJson(`${url}/api/runs`)) as readonly RunView[]);
  if (options.json) {
    context.out(`${JSON.stringify(views)}\n`);
    return EXIT.completed;
  }
  if (views.length === 0) context.out("No runs yet.\n");
  for (const view of views) {
    const status = statusText(view, url !== undefined);
    const when = new Date(view.createdAt).toISOString().replace("T", " ").slice(0, 19);
    context.out(`${view.runId}  ${when}  ${status.padEnd(14)}  ${harmless(view.objective || view.name)}\n`);
    for (const step of view.steps) {
      const reason = step.reason === undefined ? "" : `: ${harmless(step.reason)}`;
      context.out(`    ${step.id}  ${step.agent || "person"}  ${step.state.replace("_", " ")}${reason}\n`);
    }
    for (const asked of view.requests)
      for (const line of answerCommands(context, view.runId, asked)) context.out(`  ${line}\n`);
  }
  return EXIT.completed;
}

/** A run without an end whose owner is gone goes on when the servers are up again. */
function statusText({ status }: RunView, served: boolean): string {
  if (status === "input-required") return "waiting";
  return status === "running" && !served ? "interrupted" : status;
}

function stored(context: CliContext): Promise<readonly RunView[]> {
  return existsSync(runsFile(context.home)) ? readRuns(context) : Promise.resolve([]);
}
