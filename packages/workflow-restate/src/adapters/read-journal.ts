import type { Settlement } from "@troupe/workflow";

/** As much of an entry of Restate's journal, as its queries tell it, as is read here. */
interface Entry {
  readonly Command?: {
    readonly Run?: Named;
    readonly Sleep?: Named;
    readonly GetPromise?: { readonly completion_id: number; readonly key: string };
  };
  readonly Notification?: { readonly Completion?: { readonly [kind: string]: Completion } };
}

interface Named {
  readonly completion_id: number;
  readonly name: string;
}

interface Completion {
  readonly completion_id?: number;
  readonly result?: { readonly Success?: readonly number[] };
}

/** What came of steps, signals and timers, by their names in the journal of a run. */
export function readJournal(entries: readonly string[]): ReadonlyMap<string, Settlement> {
  const names = new Map<number, string>();
  const values = new Map<string, Settlement>();
  for (const text of entries) {
    const { Command: command, Notification: notification } = JSON.parse(text) as Entry;
    const named = command?.Run ?? command?.Sleep;
    if (named) names.set(named.completion_id, named.name);
    if (command?.GetPromise) names.set(command.GetPromise.completion_id, `signal:${command.GetPromise.key}`);
    for (const { completion_id: id = -1, result } of Object.values(notification?.Completion ?? {})) {
      const name = names.get(id);
      const bytes = result?.Success;
      if (name === undefined || (result !== undefined && bytes === undefined)) continue;
      const value: Settlement = bytes
        ? (JSON.parse(Buffer.from(bytes).toString("utf8")) as Settlement)
        : { ok: true, value: null };
      values.set(name, value);
    }
  }
  return values;
}
