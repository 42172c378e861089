import type { AgentEntry } from "@troupe/core";

import { getJson } from "../../adapters/get-json.ts";
import { discoverApps } from "../../supervisor/discover.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { harmless } from "../render/harmless.ts";
import { findRunning } from "../servers.ts";

/** Who can be asked, and whether they answer right now. */
export async function agents(context: CliContext, options: { readonly json: boolean }): Promise<number> {
  const url = await findRunning(context.home);
  if (url === undefined) {
    const installed = discoverApps(context.appsRoot).filter((app) => app.kind === "agent");
    if (options.json)
      context.out(`${JSON.stringify(installed.map((app) => ({ name: app.name, status: "not running" })))}\n`);
    else
      for (const app of installed)
        context.out(`${app.name.padEnd(14)} not running (start with: troupe up)\n`);
    return EXIT.completed;
  }
  const entries = (await getJson(`${url}/api/agents`)) as readonly AgentEntry[];
  if (options.json) context.out(`${JSON.stringify(entries)}\n`);
  else {
    for (const entry of entries) {
      const state = entry.status === "up" ? "up" : `down: ${entry.reason ?? "no answer"}`;
      // One that never answered is known by its address only.
      const about =
        entry.name === entry.url ? "" : ` ${entry.url ?? ""}\n${"".padEnd(15)}${entry.description}`;
      context.out(harmless(`${entry.name.padEnd(14)} ${state.padEnd(6)}${about}\n`));
    }
  }
  return EXIT.completed;
}
