import { StreamResponse, Task } from "@a2a-js/sdk";
import { StoreError } from "@troupe/core";

import type { WireEvent } from "../wire/parts.ts";

// Tasks are kept as the JSON of A2A 1.0: a form with a specification, that does not change with the SDK.

export function taskToJson(task: Task): string {
  return JSON.stringify(Task.toJSON(task));
}

export function taskFromJson(text: string): Task {
  return read(text, (value) => Task.fromJSON(value));
}

export function changesToJson(changes: readonly WireEvent[]): string {
  return JSON.stringify(changes.map((payload) => StreamResponse.toJSON({ payload })));
}

export function changesFromJson(text: string): readonly WireEvent[] {
  return read(text, (values) =>
    (values as readonly unknown[]).flatMap((value) => StreamResponse.fromJSON(value).payload ?? []),
  );
}

function read<T>(text: string, from: (value: unknown) => T): T {
  try {
    return from(JSON.parse(text));
  } catch (error) {
    throw new StoreError("store.corrupt", "a stored task cannot be read", {
      cause: error,
    });
  }
}
