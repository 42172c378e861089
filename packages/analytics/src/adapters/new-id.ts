import { randomUUID } from "node:crypto";

/** Twelve hexadecimal digits: short enough for a model to copy without a mistake. */
export function newShortId(): string {
  return randomUUID().replaceAll("-", "").slice(0, 12);
}
