import { addUsage, type Usage } from "@troupe/stream";

/** What a model took to write a plan. */
export interface PlanningUsage {
  readonly model: string;
  readonly usage: Usage;
}

export type OnPlanning = (planning: PlanningUsage) => void;

/** What the calls of the model that plans one run took together. */
export class PlanningSum {
  #sum: PlanningUsage | undefined;

  add({ model, usage }: PlanningUsage): void {
    this.#sum = { model, usage: this.#sum === undefined ? usage : addUsage(this.#sum.usage, usage) };
  }

  /** Nothing where no model was asked. */
  get told(): { readonly planning?: PlanningUsage } {
    return this.#sum === undefined ? {} : { planning: this.#sum };
  }
}
