import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { replacePrivate } from "@troupe/service";
import { z } from "zod";

const recordSchema = z.object({
  v: z.literal(1),
  /** Address of the orchestrator of these servers. */
  orchestrator: z.string(),
  apps: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(["agent", "mcp", "orchestrator"]),
      url: z.string(),
      /** Why it is not running, when it is not. */
      problem: z.string().optional(),
      /** When its next start is attempted, in milliseconds since the Unix epoch; absent when none is. */
      retryAt: z.number().optional(),
    }),
  ),
});

/** Which servers of ours run on a home folder, and which were left out: what their parent knows of them. */
export type ServerRecord = z.output<typeof recordSchema>;
export type AppRecord = ServerRecord["apps"][number];

const fileOf = (home: string): string => join(home, "run", "servers.json");

/** The servers beside the orchestrator at this address; empty when somebody else started that one. */
export function readServers(home: string, orchestrator: string): readonly AppRecord[] {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(readFileSync(fileOf(home), "utf8")));
    // One that was killed leaves its record behind.
    return parsed.success && parsed.data.orchestrator === orchestrator ? parsed.data.apps : [];
  } catch {
    return [];
  }
}

/** @returns takes the record away again. Throws a `StoreError`. */
export function recordServers(home: string, orchestrator: string, apps: readonly AppRecord[]): () => void {
  const file = fileOf(home);
  const record: ServerRecord = { v: 1, orchestrator, apps: [...apps] };
  replacePrivate(file, JSON.stringify(record));
  return () => rmSync(file, { force: true });
}

/** Why a server is not running and when it is started next, for people; undefined when it runs. */
export function problemOf({ problem, retryAt }: AppRecord, now: number): string | undefined {
  if (problem === undefined || retryAt === undefined) return problem;
  const seconds = Math.ceil((retryAt - now) / 1000);
  return `${problem.replace(/\.$/, "")}. ${seconds > 0 ? `Restarting in ${seconds} s.` : "Restarting now."}`;
}
