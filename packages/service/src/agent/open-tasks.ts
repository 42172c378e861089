import { createHash } from "node:crypto";
import { join } from "node:path";

import { systemClock, type Log, type SuspendedRuns } from "@troupe/core";
import type { TaskStore } from "@troupe/a2a";
import { openSqliteTaskStore } from "@troupe/a2a/sqlite";

import { fileSuspendedRuns } from "../suspended/file-suspended-runs.ts";

export interface OpenTasks {
  readonly store: TaskStore;
  /** Of an agent whose runs wait here; opened when it is asked for. */
  readonly suspended: () => SuspendedRuns;
  close(): Promise<void>;
}

/**
 * What one agent has to remember: its tasks, and its runs that wait for a person. On files of its home
 * folder that one process has at a time, or in a database that any number of replicas share; each
 * agent takes a schema of its name there. Throws a `StoreError`.
 */
export async function openTasks(options: {
  readonly home: string;
  /** Name of the agent. */
  readonly name: string;
  /** `postgres://...`; files when absent. */
  readonly url: string | undefined;
  readonly log: Log;
}): Promise<OpenTasks> {
  const { home, name, url, log } = options;
  if (url !== undefined) {
    // Only where it is asked for: `pg` need not be installed otherwise.
    const { openPostgresTaskStore } = await import("@troupe/a2a/postgres");
    const store = await openPostgresTaskStore({ connectionString: url, schema: schemaOf(name), log });
    return { store, suspended: () => store.suspended, close: () => store.close() };
  }
  const store = openSqliteTaskStore({ path: join(home, "tasks", `${name}.db`), clock: systemClock, log });
  return {
    store,
    // Whoever has the tasks has these too: nobody else opens them.
    suspended: () => fileSuspendedRuns({ dir: join(home, "suspended", name), log }),
    close: async () => store.close(),
  };
}

/** As long as the name of a schema may be. */
const MAX_LENGTH = 63;

/** Names of agents are kebab-case; two long ones that begin alike must not come to share their tasks. */
function schemaOf(name: string): string {
  const schema = `troupe_${name.replaceAll("-", "_")}`;
  if (schema.length <= MAX_LENGTH) return schema;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${schema.slice(0, MAX_LENGTH - digest.length - 1)}_${digest}`;
}
