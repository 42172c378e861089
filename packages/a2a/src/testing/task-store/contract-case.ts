import type { VirtualClock } from "@troupe/core/testing";

import type { TaskStore } from "../../store/task-store.ts";

/** One requirement of the port, for whatever test runner there is. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** What a store is opened with. It drops what it has to drop no later than at the next claim. */
export interface ContractSettings {
  readonly clock: VirtualClock;
  readonly maxTasks?: number;
  readonly maxAgeMs?: number;
  readonly maxBytes?: number;
}

export interface TaskStoreUnderTest {
  /** An empty store for each case. */
  readonly open: (settings: ContractSettings) => Promise<TaskStore>;
  /** For one that outlives its process: lets go of the store, and opens what it kept. */
  readonly reopen?: (store: TaskStore, settings: ContractSettings) => Promise<TaskStore>;
  /** For one that several runtimes share: another hand on the same tasks. */
  readonly another?: (store: TaskStore, settings: ContractSettings) => Promise<TaskStore>;
}

/** Cases that need what not every store can do are left out for those that cannot. */
export type MakeCases = (test: TaskStoreUnderTest) => readonly ContractCase[];
