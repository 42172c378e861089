import type { Task } from "@a2a-js/sdk";

import type { StoredTask } from "../../store/task-store.ts";
import type { EventLog } from "./event-log.ts";
import type { HeldElsewhere } from "./held-elsewhere.ts";
import type { TaskRun } from "./task-run.ts";

/** A task as a reader finds it: being worked on, or at rest. */
export type Found =
  | { readonly run: TaskRun }
  | { readonly elsewhere: HeldElsewhere }
  /** `events` are of its last turn, as long as they are kept. */
  | (StoredTask & { readonly events?: EventLog });

/** The task as it is now, or as it was when it was last loaded. */
export function snapshotOf(found: Found): Task {
  if ("run" in found) return found.run.snapshot();
  return "elsewhere" in found ? found.elsewhere.snapshot() : found.task;
}
