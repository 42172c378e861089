import { InputError, type ToolContext } from "@troupe/core";
import type { CollectionAccess } from "@troupe/service/mcp";

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

/** The presentations that the caller of a tool may use. */
export type StoreOf = (context: Pick<ToolContext, "userId">) => PresentationStore;

/** Where callers are authenticated, each has their own; those of others are as if they were not there. */
export function storeByCaller(
  store: PresentationStore,
  { knowsUsers }: Pick<CollectionAccess, "knowsUsers">,
): StoreOf {
  return ({ userId }) => {
    if (!knowsUsers) return store;
    const own = (presentation: Presentation): Presentation => {
      if (presentation.owner === undefined || presentation.owner === userId) return presentation;
      throw noPresentation(presentation.id);
    };
    return {
      create: (presentation) =>
        store.create({ ...presentation, ...(userId === undefined ? {} : { owner: userId }) }),
      read: async (id) => own(await store.read(id)),
      update: (id, change) => store.update(id, (presentation) => change(own(presentation))),
      async markSaved(id) {
        own(await store.read(id));
        await store.markSaved(id);
      },
    };
  };
}

export function noPresentation(id: string): InputError {
  return new InputError(
    "input.not-found",
    `There is no presentation "${id.slice(0, 64)}". Call powerpoint_create_presentation first and pass the presentation_id it returns.`,
  );
}
