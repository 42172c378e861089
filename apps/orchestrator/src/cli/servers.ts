import { existsSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";

import { readOwner } from "@troupe/service";

import { probe } from "../adapters/probe.ts";
import { discoverApps } from "../supervisor/discover.ts";
import { startServers, type Servers } from "../supervisor/supervisor.ts";
import type { CliContext } from "./context.ts";

export interface UsedServers {
  readonly url: string;
  /** Present when this command started them. */
  readonly own?: Servers;
  release(): Promise<void>;
}

/** Address of the orchestrator that owns the home folder, when one answers there. */
export async function findRunning(home: string): Promise<string | undefined> {
  const owner = existsSync(home) ? readOwner(home) : undefined;
  if (owner?.url === undefined) return undefined;
  return (await probe(`${owner.url}/livez`)) ? owner.url : undefined;
}

/** Uses the servers that are up, or starts its own on free ports and stops them at release. */
export async function useServers(context: CliContext): Promise<UsedServers> {
  const url = await findRunning(context.home);
  if (url !== undefined) return { url, release: () => Promise.resolve() };
  const own = await startOwn(context, "free");
  return { url: own.orchestratorUrl, own, release: () => own.stop() };
}

/** Starts all servers; their logs go to `<home>/logs/<app>.log`. */
export async function startOwn(context: CliContext, ports: "declared" | "free"): Promise<Servers> {
  const apps = discoverApps(context.appsRoot);
  const logs = join(context.home, "logs");
  await mkdir(logs, { recursive: true });
  const files = new Map(
    await Promise.all(
      apps.map(async (app) => [app.name, await open(join(logs, `${app.name}.log`), "a")] as const),
    ),
  );
  const servers = await startServers({
    apps,
    ports,
    home: context.home,
    env: context.env,
    onLine: (app, line) => {
      files
        .get(app)
        ?.appendFile(`${line}\n`)
        .catch(() => undefined);
    },
    onGone: (app, how) =>
      context.err(`${how} and is not started any more. Its log is in ${join(logs, `${app}.log`)}.\n`),
    signal: context.interrupted,
    clock: context.clock,
    log: context.log,
  }).catch(async (error: unknown) => {
    await closeAll(files.values());
    throw error;
  });
  return {
    ...servers,
    async stop() {
      await servers.stop();
      await closeAll(files.values());
    },
  };
}

async function closeAll(files: Iterable<{ close(): Promise<void> }>): Promise<void> {
  await Promise.all([...files].map((file) => file.close().catch(() => undefined)));
}
