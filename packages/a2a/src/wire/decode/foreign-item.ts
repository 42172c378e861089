import type { Part } from "@a2a-js/sdk";

import { ARTIFACT_NAMES, RESULT_NAMES } from "../extension.ts";

/** An artifact of a foreign agent as far as it came. */
export interface ForeignItem {
  readonly itemId: string;
  readonly name: string;
  text: string;
  parts: Part[];
  readonly born: "open" | "answer";
  narration: boolean;
  /** It belongs to a step of what the agent runs, not to the task itself. */
  readonly ofStep: boolean;
  /** Its text went out as an item. */
  shown: boolean;
}

export function isResultName(name: string): boolean {
  return RESULT_NAMES.has(name) || name === ARTIFACT_NAMES.complete;
}
