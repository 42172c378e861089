import { InputError } from "@troupe/core";
import { createLog } from "@troupe/service";

import type { CliContext } from "../context.ts";
import { proseWriter } from "../prose-writer.ts";
import { findRunning, openAppLog, startOwn } from "../servers.ts";
import { EXIT } from "../exit-codes.ts";
import { sayModel } from "../say-model.ts";
import { programVersion } from "../version.ts";

/** Starts all servers and keeps them until Ctrl-C or SIGTERM. */
export async function up(context: CliContext, options: { readonly freePorts: boolean }): Promise<number> {
  const running = await findRunning(context.home);
  if (running !== undefined) {
    throw new InputError(
      "input.invalid",
      `"${context.home}" is already served at ${running}. Stop that one first, or set TROUPE_HOME to another folder.`,
    );
  }
  const servers = await startOwn(context, options.freePorts ? "free" : "declared");
  const file = openAppLog(context, "up");
  const log = createLog({ name: "up", level: "info", write: (line) => file.write(line.trimEnd()) });
  log.info("started", {
    pid: process.pid,
    version: programVersion(),
    address: servers.orchestratorUrl,
    home: context.home,
    node: process.version,
  });
  const others = [...servers.urls].filter(([, url]) => url !== servers.orchestratorUrl);
  context.out(
    `ready ${servers.orchestratorUrl} ${others.map(([name, url]) => `${name}=${url}`).join(" ")}\n`,
  );
  await sayModel(context, servers.orchestratorUrl);
  const reason = await Promise.race([servers.failed, aborted(context.interrupted)]);
  const signal: unknown = context.interrupted.reason;
  await servers.stop();
  log.info("stopped", { reason: reason ?? (signal instanceof Error ? signal.message : "interrupted") });
  file.close();
  if (reason === undefined) return EXIT.completed;
  const write = await proseWriter(context);
  write(`The orchestrator stopped: ${reason}. Its log is in ${context.home}/logs/orchestrator.log.\n`);
  return EXIT.failed;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
