import { ProcessError, systemClock, type Log } from "@troupe/core";
import { newId } from "@troupe/service";
import type { HostedEngine } from "@troupe/workflow";

import { answers } from "../adapters/answers.ts";
import type { OrchestratorSettings } from "./settings.ts";

const DAY_MS = 86_400_000;

export interface OpenRuns {
  /** For the orchestrator, which closes it; none where it opens one in its home folder. */
  readonly engine?: HostedEngine;
  /** What of it does not answer, in words that anybody may read. */
  unanswered(): Promise<readonly string[]>;
  /** Lets go of what the engine stands on, once it is closed. */
  close(): Promise<void>;
}

/** How the settings say that runs are journaled. Throws a `StoreError` where their database cannot be reached. */
export async function openRuns(
  settings: OrchestratorSettings,
  { log }: { readonly log: Log },
): Promise<OpenRuns> {
  if (settings.engine === "embedded") return { unanswered: async () => [], close: async () => undefined };
  const { host, runs_url, restate_ingress, restate_admin, restate_port, restate_endpoint } = settings;
  // Only where they are asked for: neither need be installed otherwise.
  const { openRestateEngine } = await restate();
  const { openPostgresEventLog } = await import("@troupe/workflow/postgres");
  const keepMs = Math.ceil(settings.runs_keep_days * DAY_MS);
  const events = await openPostgresEventLog({
    ...(runs_url === undefined ? {} : { connectionString: runs_url }),
    keepMs,
    clock: systemClock,
    log,
  });
  try {
    const engine = await openRestateEngine({
      ingressUrl: restate_ingress,
      adminUrl: restate_admin,
      events,
      host,
      port: restate_port,
      ...(restate_endpoint === undefined ? {} : { endpointUrl: restate_endpoint }),
      identityKeys: settings.restate_identity_keys,
      // For longer than its events, which are swept once an hour: no run that is listed begins a second time.
      retentionMs: keepMs + DAY_MS,
      clock: systemClock,
      log,
      newId,
    });
    return {
      engine,
      async unanswered() {
        const [stored, journaled] = await Promise.all([
          events.end("").then(
            () => true,
            () => false,
          ),
          Promise.all(restate_ingress.map((url) => answers(`${url}/restate/health`))),
        ]);
        return [
          ...(stored ? [] : ["the database of runs does not answer"]),
          ...(journaled.includes(true) ? [] : ["Restate does not answer"]),
        ];
      },
      close: () => events.close(),
    };
  } catch (error) {
    await events.close();
    throw error;
  }
}

async function restate() {
  try {
    return await import("@troupe/workflow-restate");
  } catch (error) {
    throw new ProcessError(
      "process.start",
      "TROUPE_ENGINE=restate needs the package @troupe/workflow-restate, which is not installed; install it beside @troupe/orchestrator.",
      { cause: error },
    );
  }
}
