import { WorkflowError } from "./workflow-error.ts";

/**
 * What the driver of one run has named, and what an engine holds for it until it is delivered. A name is used
 * once in a run. What was delivered is not waited for again: it would be there at once, and for ever.
 */
export class NamedSlots<T> {
  readonly #held = new Map<string, T>();
  readonly #delivered = new Set<string>();

  /** Throws for a name that was used before, and makes nothing then. */
  add(id: string, make: () => T): T {
    if (this.#held.has(id) || this.#delivered.has(id))
      throw new WorkflowError("workflow.internal", `the name "${id}" was used twice in this run`);
    const slot = make();
    this.#held.set(id, slot);
    return slot;
  }

  /** Undefined for one that was delivered, or never named. */
  get(id: string): T | undefined {
    return this.#held.get(id);
  }

  /** Throws for one that cannot be waited for. */
  awaited(id: string): T {
    if (this.#delivered.has(id)) throw new WorkflowError("workflow.internal", `"${id}" was delivered before`);
    const slot = this.#held.get(id);
    if (slot === undefined)
      throw new WorkflowError("workflow.internal", `"${id}" was never started in this run`);
    return slot;
  }

  /** The name stays taken; nothing else of it is needed any more. */
  deliver(id: string): void {
    this.#held.delete(id);
    this.#delivered.add(id);
  }

  /** What was not delivered. */
  held(): Iterable<T> {
    return this.#held.values();
  }
}
