import type { AgentEvent, Json } from "@troupe/stream";

import { fromJson } from "../engine/json.ts";
import type { EngineContext, Pending, Settled } from "../engine/port.ts";
import type { JournalEntry } from "../engine/recorded-run.ts";
import { WorkflowError } from "../engine/workflow-error.ts";

/** The driver waits for something of which the journal knows nothing: here it stood when it was recorded. */
export class JournalUsedUp extends Error {
  readonly waitsFor: readonly string[];

  constructor(waitsFor: readonly string[]) {
    super("the journal is used up");
    this.waitsFor = waitsFor;
  }
}

/** Hands a driver the recorded answers and nothing else: no step is run, no timer set, nothing waited for. */
export class ReplayContext implements EngineContext {
  readonly runId: string;
  /** What the driver told, by key; the first one of a key stays. */
  readonly told = new Map<string, AgentEvent>();
  readonly #entries: readonly JournalEntry[];
  #at = 0;

  constructor(runId: string, entries: readonly JournalEntry[]) {
    this.runId = runId;
    this.#entries = entries;
  }

  /** Entries that were handed out. */
  get replayed(): number {
    return this.#at;
  }

  /** The entry that is next; undefined behind the last. */
  get ahead(): JournalEntry | undefined {
    return this.#entries[this.#at];
  }

  step(id: string): Pending {
    return { id };
  }

  waitSignal(name: string): Pending {
    return { id: `signal:${name}` };
  }

  timer(id: string): Pending {
    return { id: `timer:${id}` };
  }

  async next(running: readonly [Pending, ...Pending[]]): Promise<Settled> {
    const ids = running.map(({ id }) => id);
    const entry = this.ahead;
    if (entry === undefined) throw new JournalUsedUp(ids);
    if (!ids.includes(entry.name))
      throw new WorkflowError(
        "workflow.journal-mismatch",
        `entry ${this.#at} of the journal is "${entry.name}", but the driver waits for ${ids.map((id) => `"${id}"`).join(", ")}`,
      );
    this.#at++;
    return { id: entry.name, ...entry.value };
  }

  abort(): void {}

  emit(key: string, event: Json): void {
    if (!this.told.has(key)) this.told.set(key, fromJson<AgentEvent>(event));
  }
}
