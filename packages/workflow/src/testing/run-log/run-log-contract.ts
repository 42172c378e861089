import type { RunLogCase } from "./harness.ts";
import { readingCases } from "./reading-cases.ts";
import { sharedCases } from "./shared-cases.ts";
import { viewCases } from "./view-cases.ts";

/**
 * What every `RunLog` keeps. Framework-free: give each case to the test runner at hand, with a harness of
 * its own; a case that fails throws. `shared` adds what holds where several processes have one storage.
 */
export function runLogContract({ shared }: { readonly shared: boolean }): readonly RunLogCase[] {
  return [...readingCases, ...viewCases, ...(shared ? sharedCases : [])];
}
