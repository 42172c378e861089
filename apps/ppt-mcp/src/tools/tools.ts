import type { AnswerCheck, ArtifactStore, Tool } from "@troupe/core";

import type { StoreOf } from "../state/presentation-store.ts";
import { createPresentation } from "./create-presentation.ts";
import { editTools } from "./edit-tools.ts";
import { readTools } from "./read-tools.ts";
import { savePresentation } from "./save-presentation.ts";

export interface ToolDeps {
  readonly storeOf: StoreOf;
  readonly artifacts: ArtifactStore;
  /** Compares slides with their sources. */
  readonly check: AnswerCheck;
}

/** Every tool of the server, in the order a deck is made. */
export function powerpointTools(deps: ToolDeps): readonly Tool[] {
  return [
    createPresentation(deps.storeOf),
    ...editTools(deps.storeOf, deps.check),
    ...readTools(deps.storeOf, deps.check),
    savePresentation(deps),
  ];
}
