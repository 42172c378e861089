import { listOf, recordOf, stringOf } from "../wire/json.ts";
import type { SeenArtifact } from "../capture/read-event.ts";
import { stepOf } from "./role.ts";

export interface TracePlanStep {
  /** With the step before it that it is part of, where there is one. */
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  /** The last that was told. */
  readonly state: string;
  /** When it was told to be in progress, in milliseconds; null when never. */
  readonly started: number | null;
  /** When it was told to be over. */
  readonly ended: number | null;
}

const RUNNING = new Set(["in_progress", "input_required"]);

/** The steps of all plans, in the order in which they were told. */
export class PlanTable {
  readonly #steps = new Map<string, TracePlanStep>();

  get steps(): readonly TracePlanStep[] {
    return [...this.#steps.values()];
  }

  take(t: number, artifact: SeenArtifact): void {
    const within = stepOf(artifact.metadata);
    for (const [index, value] of listOf(artifact.data?.["steps"]).entries()) {
      const row = recordOf(value);
      if (row === undefined) continue;
      const own = stringOf(row["step_id"]) || String(index + 1);
      const id = within === "" ? own : `${within}/${own}`;
      const state = stringOf(row["status"]);
      const before = this.#steps.get(id);
      const waits = state === "pending" || state === "";
      this.#steps.set(id, {
        id,
        agent: stringOf(row["agent"]),
        title: stringOf(row["title"]),
        state,
        started: before?.started ?? (RUNNING.has(state) ? t : null),
        ended: waits || RUNNING.has(state) ? null : (before?.ended ?? t),
      });
    }
  }
}
