import { existsSync } from "node:fs";

import { InputError } from "@troupe/core";
import { z } from "zod";

import { runsFile } from "../orchestrator/state.ts";
import { discoverApps } from "../supervisor/discover.ts";
import { callApp, callRunning } from "./call-app.ts";
import type { CliContext } from "./context.ts";
import { requireHome } from "./home.ts";
import { readServers } from "./server-record.ts";
import { findRunning } from "./servers.ts";
import { typed } from "./typed.ts";

const LIST_MS = 30_000;
const how = (context: CliContext): string =>
  `Take some in with: ${typed(context, "ingest PATHS --collection NAME")}. An example comes with: ${typed(context, "demo")}.`;

/**
 * Throws an `InputError` when a collection is asked for that nobody has taken in, before anything is
 * started. Where nothing has run yet and there is no collection at all, says how to make one.
 */
export async function checkCollections(context: CliContext, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0 && existsSync(runsFile(context.home))) return;
  const known = await collections(context);
  // A server that cannot list its collections now will say itself what is wrong.
  if (known === undefined) return;
  const missing = wanted.find((name) => !known.includes(name));
  if (missing !== undefined) {
    const there = known.map((name) => `"${name}"`).join(", ");
    throw new InputError(
      "input.not-found",
      `There is no collection "${missing}". ${there === "" ? "Nothing was taken in yet." : `There is: ${there}.`} ${how(context)}`,
    );
  }
  if (known.length === 0) context.err(`There are no documents and no data yet. ${how(context)}\n\n`);
}

const listed = z.object({ collections: z.array(z.union([z.string(), z.object({ name: z.string() })])) });

/** Names of all collections, told by the servers that are up, else by ones started for it; undefined when some server did not tell its own. */
async function collections(context: CliContext): Promise<readonly string[] | undefined> {
  requireHome(context.home);
  const url = await findRunning(context.home);
  const running = url === undefined ? [] : readServers(context.home, url);
  const lists = discoverApps(context.appsRoot).flatMap((app) => {
    if (app.ingest?.list === undefined) return [];
    const up = running.find(({ name, problem }) => name === app.name && problem === undefined);
    const asked = call(app.ingest.list);
    return [up ? callRunning(context, up, asked) : callApp(context, app, asked)];
  });
  const names = new Set<string>();
  for (const list of await Promise.allSettled(lists)) {
    const found = list.status === "fulfilled" ? listed.safeParse(list.value.data) : undefined;
    if (found?.success !== true) return undefined;
    for (const entry of found.data.collections) names.add(typeof entry === "string" ? entry : entry.name);
  }
  return [...names].toSorted();
}

const call = (tool: string) => ({ tool, args: {}, timeoutMs: LIST_MS });
