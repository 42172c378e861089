import type { Request } from "express";

export const VERSION_HEADER = "A2A-Version";
export const LEGACY_VERSION = "0.3";

/** A request without a version speaks 0.3, as the specification has it. */
export function isLegacy(req: Request): boolean {
  return (req.header(VERSION_HEADER) || LEGACY_VERSION) === LEGACY_VERSION;
}
