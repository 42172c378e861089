import { faultyFetch, type Fault } from "../../testing/faulty-fetch.ts";
import { exerciseAgent, withServed } from "../../testing/index.ts";
import type { ServeAgentOptions } from "../../server/index.ts";
import { runConformance, type ConformanceOptions } from "../index.ts";

/** A fault, and the requirement that must notice it. */
export type Mutation = readonly [name: string, requirement: string, fault: Fault];

/** Those that can only be noticed by waiting are waited for this long. */
const PATIENCE_MS = 300;

/** What the requirement says of a server with the fault; empty when it notices nothing. */
export function notice(
  requirement: string,
  fault: Fault,
  serve: Partial<ServeAgentOptions> = {},
  options: ConformanceOptions = {},
): Promise<readonly string[]> {
  return withServed({ agent: exerciseAgent(), ...serve }, async ({ url }) => {
    const report = await runConformance(url, {
      ...options,
      fetchImpl: faultyFetch(fault),
      only: [requirement],
      ...(fault.hangs === true ? { timeoutMs: PATIENCE_MS } : {}),
    });
    return report.findings
      .filter(({ outcome }) => outcome === "failed" || outcome === "advised")
      .map(({ why }) => why);
  });
}
