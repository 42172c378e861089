import { StoreError } from "@troupe/core";

/** A change that went out from a task which is another one by now. */
export function storeConflict(taskId: string, version: number): StoreError {
  return new StoreError(
    "store.conflict",
    `Task "${taskId}" is not stored at version ${version} any more: somebody else changed it. Load it again.`,
  );
}

export function isConflict(error: unknown): boolean {
  return error instanceof StoreError && error.code === "store.conflict";
}
