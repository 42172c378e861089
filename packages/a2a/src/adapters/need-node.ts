import { InputError } from "@troupe/core";
import { isNodeNewEnough, NODE_NEEDED } from "@troupe/core/sqlite";

/** @throws InputError on a Node that is too old: it would start, and fail at the first call. */
export function needNode(version: string): void {
  if (isNodeNewEnough(version)) return;
  throw new InputError(
    "input.invalid",
    `An agent is served on Node ${NODE_NEEDED}, and this is ${version}. Install a newer one.`,
  );
}
