/** What a store that outlives its process keeps of settled tasks; the oldest go first. */
export interface Retention {
  /** Settled tasks kept, 10,000 by default; running ones are always kept. */
  readonly maxTasks?: number;
  /** Milliseconds for which a settled task is kept, 30 days by default: people answer late. */
  readonly maxAgeMs?: number;
  /** Characters that settled tasks may take together, 256 Mi by default. */
  readonly maxBytes?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function retention({
  maxTasks = 10_000,
  maxAgeMs = 30 * DAY_MS,
  maxBytes = 256 * 1024 * 1024,
}: Retention): Required<Retention> {
  return { maxTasks, maxAgeMs, maxBytes };
}

/** Characters of a running task as it was last written whole, and of its changes since. */
export interface WrittenSize {
  readonly task: number;
  readonly changes: number;
}

/** Characters of changes after which a running task is written anew, where it is not longer itself. */
const MIN_CHANGES = 64 * 1024;

/** Whether a task is to be written whole, rather than so many characters more of changes. */
export function hasOutgrown({ task, changes }: WrittenSize, added: number): boolean {
  return changes + added > Math.max(task, MIN_CHANGES);
}
