import { claimCases } from "./task-store/claim-cases.ts";
import type { ContractCase, TaskStoreUnderTest } from "./task-store/contract-case.ts";
import { durableCases } from "./task-store/durable-cases.ts";
import { pushCases } from "./task-store/push-cases.ts";
import { readingCases } from "./task-store/reading-cases.ts";
import { retentionCases } from "./task-store/retention-cases.ts";
import { sharedCases } from "./task-store/shared-cases.ts";

/**
 * What every TaskStore keeps to. Cases about what outlives a process, and about several runtimes, are
 * for stores that can do so: see `TaskStoreUnderTest`.
 */
export function taskStoreContract(test: TaskStoreUnderTest): readonly ContractCase[] {
  return [claimCases, readingCases, retentionCases, durableCases, sharedCases, pushCases].flatMap((cases) =>
    cases(test),
  );
}
