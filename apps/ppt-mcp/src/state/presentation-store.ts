import type { Presentation } from "./presentation.ts";

/** Presentations in the making. Changes to one happen one after another. */
export interface PresentationStore {
  create(presentation: Omit<Presentation, "v" | "id" | "updated">): Promise<Presentation>;
  /** Throws an `InputError` that says what to call first when there is no such presentation. */
  read(id: string): Promise<Presentation>;
  /** Stores what `change` returns; when it throws, or storing fails, everything stays as it was. */
  update(id: string, change: (presentation: Presentation) => Presentation): Promise<Presentation>;
  /** Notes that this state was written as a file. Changes nothing else, so saving again gives the same bytes. */
  markSaved(state: Presentation): Promise<void>;
}
