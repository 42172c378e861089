import type { ArtifactStore, Tool } from "@troupe/core";

import type { PresentationStore } from "../state/presentation-store.ts";
import { createPresentation } from "./create-presentation.ts";
import { editTools } from "./edit-tools.ts";
import { readTools } from "./read-tools.ts";
import { savePresentation } from "./save-presentation.ts";

export interface ToolDeps {
  readonly store: PresentationStore;
  readonly artifacts: ArtifactStore;
}

/** Every tool of the server, in the order a deck is made. */
export function powerpointTools(deps: ToolDeps): readonly Tool[] {
  return [
    createPresentation(deps.store),
    ...editTools(deps.store),
    ...readTools(deps.store),
    savePresentation(deps),
  ];
}
