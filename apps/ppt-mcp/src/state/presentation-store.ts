import type { Presentation } from "./presentation.ts";

/** Presentations in the making. Changes to one happen one after another. */
export interface PresentationStore {
  create(presentation: Omit<Presentation, "v" | "id" | "updated" | "saved">): Promise<Presentation>;
  /** Throws an `InputError` that says what to call first when there is no such presentation. */
  read(id: string): Promise<Presentation>;
  /** Stores what `change` returns; when it throws, or storing fails, everything stays as it was. */
  update(id: string, change: (presentation: Presentation) => Presentation): Promise<Presentation>;
  /** Notes that a file of it was written. Changes nothing else, so saving again gives the same bytes. */
  markSaved(id: string): Promise<void>;
}
