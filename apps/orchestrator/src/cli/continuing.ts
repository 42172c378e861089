import type { RemoteRequest } from "@troupe/a2a/client";
import { InputError } from "@troupe/core";
import type { RunView } from "@troupe/workflow";

import { getJson } from "../adapters/get-json.ts";
import type { CliContext } from "./context.ts";
import { userOf } from "./follow.ts";
import { findRun } from "./runs.ts";
import { typed } from "./typed.ts";

/**
 * What makes a request go on with the conversation of a run, in the name of whoever began that.
 *
 * @param after id of the run, or how it begins; empty for the latest
 */
export async function continuing(
  context: CliContext,
  url: string,
  after: string,
): Promise<Pick<RemoteRequest, "contextId" | "userId">> {
  const view = after === "" ? await latestRun(context, url) : await findRun(url, after, context.token);
  if (view.threadId === undefined)
    throw new InputError(
      "input.unsupported",
      `Run ${view.runId} belongs to no conversation: a program or an earlier version began it. Ask for all of it anew.`,
    );
  return { contextId: view.threadId, ...userOf(view) };
}

async function latestRun(context: CliContext, url: string): Promise<RunView> {
  const [latest] = (await getJson(`${url}/api/runs`, context.token)) as readonly RunView[];
  if (latest !== undefined) return latest;
  throw new InputError(
    "input.not-found",
    `There is no run to go on with yet. Begin with ${typed(context, 'run "..."')}.`,
  );
}
