import type { AgentEntry } from "@troupe/core";

import { getJson } from "../../adapters/get-json.ts";
import { discoverApps } from "../../supervisor/discover.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { harmless } from "../render/harmless.ts";
import { problemOf, readServers, type AppRecord } from "../server-record.ts";
import { findRunning } from "../servers.ts";
import { typed } from "../typed.ts";

type Shown = Omit<AgentEntry, "status"> & {
  readonly status: AgentEntry["status"] | "restarting" | "left out";
};

/** What is known here of agents that do not run: whether and when they are restarted, and why they ended. */
export function withServerState(
  entries: readonly AgentEntry[],
  apps: readonly AppRecord[],
  now: number,
): readonly Shown[] {
  return entries.map((entry) => {
    const app = apps.find(({ url }) => url === entry.url);
    const reason = app && problemOf(app, now);
    if (app === undefined || reason === undefined || entry.status === "up") return entry;
    const name = entry.name === entry.url ? app.name : entry.name;
    return { ...entry, name, status: app.retryAt === undefined ? "left out" : "restarting", reason };
  });
}

/** One line for each MCP server that does not run: agents that use it cannot work. */
export function toolServersDown(apps: readonly AppRecord[], now: number): readonly string[] {
  return apps.flatMap((app) => {
    const problem = app.kind === "mcp" ? problemOf(app, now) : undefined;
    if (problem === undefined) return [];
    return [`${app.name.padEnd(14)} ${app.retryAt === undefined ? "left out" : "restarting"}: ${problem}`];
  });
}

/** Names that several agents have, with their addresses. */
export function namesakes(entries: readonly AgentEntry[]): ReadonlyMap<string, readonly string[]> {
  const byName = Map.groupBy(entries, ({ name }) => name);
  return new Map(
    [...byName].flatMap(([name, all]) =>
      all.length > 1 ? [[name, all.map(({ url }) => url ?? "in this process")] as const] : [],
    ),
  );
}

/** Who can be asked, and whether they answer right now. */
export async function agents(context: CliContext, options: { readonly json: boolean }): Promise<number> {
  const url = await findRunning(context.home);
  if (url === undefined) {
    const installed = discoverApps(context.appsRoot).filter((app) => app.kind === "agent");
    if (options.json)
      context.out(`${JSON.stringify(installed.map((app) => ({ name: app.name, status: "not running" })))}\n`);
    else
      for (const app of installed)
        context.out(`${app.name.padEnd(14)} not running (start with: ${typed(context, "up")})\n`);
    return EXIT.completed;
  }
  const known = (await getJson(`${url}/api/agents`, context.token)) as readonly AgentEntry[];
  const servers = readServers(context.home, url);
  const now = context.clock.now();
  const entries = withServerState(known, servers, now);
  if (options.json) context.out(`${JSON.stringify(entries)}\n`);
  else {
    for (const entry of entries) {
      const state = entry.status === "up" ? "up" : `${entry.status}: ${entry.reason ?? "no answer"}`;
      // One that never answered is known by its address only.
      const about =
        entry.name === entry.url ? "" : ` ${entry.url ?? ""}\n${"".padEnd(15)}${entry.description}`;
      context.out(harmless(`${entry.name.padEnd(14)} ${state.padEnd(6)}${about}\n`));
    }
    for (const line of toolServersDown(servers, now)) context.err(harmless(`${line}\n`));
    for (const [name, urls] of namesakes(known))
      context.err(
        harmless(
          `${urls.length} agents are named "${name}": ${urls.join(", ")}. The first that is up is asked; give the others a name of their own.\n`,
        ),
      );
  }
  return EXIT.completed;
}
