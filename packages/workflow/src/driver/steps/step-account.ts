import { addUsage, NO_USAGE, type Usage } from "@troupe/stream";

import type { DagStep } from "../../schema/spec.ts";
import type { StepHost } from "../host.ts";
import type { Turn } from "./turn.ts";

/** What a step was handed of the run's limits, and what it used. */
export class StepAccount {
  readonly #host: StepHost;
  readonly #step: DagStep;
  #usage: Usage = NO_USAGE;

  constructor(host: StepHost, step: DagStep) {
    this.#host = host;
    this.#step = step;
  }

  /** Of all its attempts, as far as it is known. */
  get usage(): Usage {
    return this.#usage;
  }

  spend(attempt: string, usage: Usage | undefined): void {
    if (usage === undefined) return;
    this.#usage = addUsage(this.#usage, usage);
    this.#host.spend(this.#step, attempt, usage);
  }

  /** Whatever the agent still does for this turn is not wanted any more; what it used until it heard so counts. */
  giveUp(turn: Turn): void {
    const { key, taskId } = turn;
    turn.over = true;
    if (taskId === undefined || turn.telling) return;
    turn.telling = true;
    this.#tell(turn, taskId, key);
  }

  /** A message has arrived of a turn that is over. A task that was told to stop before its reply came is told again. */
  arrived(turn: Turn): void {
    if (turn.telling && turn.taskId !== undefined) this.#tell(turn, turn.taskId, `${turn.key}/arrived`);
    else this.giveUp(turn);
  }

  #tell(turn: Turn, taskId: string, key: string): void {
    const { attempt } = turn;
    this.#host.cancelTask({
      key,
      agent: this.#step.agent,
      taskId,
      used: () => (turn.accounted ? undefined : turn.heard?.()),
      told: (used) => {
        this.spend(attempt, used);
        this.#host.release(attempt);
      },
    });
  }

  /** An attempt is over. What an agent that is told to stop was handed may be used until it has heard. */
  giveBack(attempt: string, turn: Turn | undefined): void {
    if (turn?.telling !== true) this.#host.release(attempt);
  }
}
