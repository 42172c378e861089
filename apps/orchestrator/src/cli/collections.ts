import { InputError } from "@troupe/core";
import { z } from "zod";

import { discoverApps, type AppManifest } from "../supervisor/discover.ts";
import { asksCallers } from "./asks-callers.ts";
import { dataOf, withApp, withRunning, type CallTool } from "./call-app.ts";
import type { CliContext } from "./context.ts";
import { requireHome } from "./home.ts";
import { readServers } from "./server-record.ts";
import { findRunning } from "./servers.ts";
import { typed } from "./typed.ts";

const LIST_MS = 30_000;
type Ingest = NonNullable<AppManifest["ingest"]>;
const how = (context: CliContext): string =>
  `To add some, run \`${typed(context, "ingest PATHS --collection NAME")}\`; to see an example, run \`${typed(context, "demo")}\`.`;

/** Throws an `InputError` when a collection is asked for that nobody has taken in, before anything is started. */
export async function checkCollections(context: CliContext, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0) return;
  const known = await collectionNames(context);
  // A server that cannot list its collections now will say itself what is wrong.
  if (known === undefined) return;
  const missing = wanted.find((name) => !known.includes(name));
  if (missing !== undefined) {
    const there = known.map((name) => `"${name}"`).join(", ");
    throw new InputError(
      "input.not-found",
      `There is no collection "${missing}". ${there === "" ? "There are no collections yet." : `Known collections: ${there}.`} ${how(context)}`,
    );
  }
}

/** What a task works on that names no collection, where that is nothing or not just one. */
export async function sayCollections(context: CliContext): Promise<void> {
  const known = (await collectionNames(context)) ?? [""];
  if (known.length === 0) context.err(`There are no documents or data yet. ${how(context)}\n\n`);
  if (known.length > 1)
    context.err(
      `No --collection was given: the documents of all collections are searched, but questions about figures need one of ${known
        .map((name) => `"${name}"`)
        .join(", ")}.\n\n`,
    );
}

const entry = z.object({
  name: z.string(),
  documents: z.number().default(0),
  passages: z.number().default(0),
});
const listed = z.object({
  collections: z.array(z.union([z.string().transform((name) => entry.parse({ name })), entry])),
});

/** A collection as one server knows it. */
export type Listed = z.output<typeof entry>;

/** The collections of a server. Throws when it does not tell. */
export async function listWith(call: CallTool, tool: string): Promise<readonly Listed[]> {
  return dataOf(listed, tool, await call(tool, {})).collections;
}

/** Asks every server that takes in files and lists them: one that is up, else one started for it. */
export async function askServers<T>(
  context: CliContext,
  ask: (call: CallTool, ingest: Ingest & { readonly list: string }) => Promise<T>,
): Promise<readonly PromiseSettledResult<T>[]> {
  requireHome(context.home);
  const url = await findRunning(context.home);
  // The command line acts as the administrator, but a server that asks who calls takes it for a user without a name.
  const open = url !== undefined && (await asksCallers(url)) === false;
  const running = open ? readServers(context.home, url) : [];
  if (url === undefined) context.status?.("Reading the list of collections ...");
  const asked = discoverApps(context.appsRoot).flatMap((app) => {
    const { ingest } = app;
    const list = ingest?.list;
    if (ingest === undefined || list === undefined) return [];
    const up = running.find(({ name, problem }) => name === app.name && problem === undefined);
    const work = (call: CallTool): Promise<T> => ask(call, { ...ingest, list });
    return [up ? withRunning(context, up, LIST_MS, work) : withApp(context, app, LIST_MS, work)];
  });
  return Promise.allSettled(asked).finally(() => context.status?.(""));
}

/** Names of all collections; undefined when some server did not tell its own. */
export async function collectionNames(context: CliContext): Promise<readonly string[] | undefined> {
  const names = new Set<string>();
  for (const answer of await askServers(context, (call, { list }) => listWith(call, list))) {
    if (answer.status === "rejected") return undefined;
    for (const { name } of answer.value) names.add(name);
  }
  return [...names].toSorted();
}
