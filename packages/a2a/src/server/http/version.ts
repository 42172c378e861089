import type { Request } from "express";

export const VERSION_HEADER = "A2A-Version";
export const LEGACY_VERSION = "0.3";

/**
 * The version a request speaks: of the header, or where that is missing of the query. Patch numbers
 * make no difference, and a request that names none speaks 0.3.
 */
export function versionOf(req: Request): string {
  const named = (req.header(VERSION_HEADER) || asked(req)).trim();
  return named === "" ? LEGACY_VERSION : named.replace(/^(\d+\.\d+)\.\d+$/, "$1");
}

export function isLegacy(req: Request): boolean {
  return versionOf(req) === LEGACY_VERSION;
}

function asked(req: Request): string {
  const { [VERSION_HEADER]: version } = req.query;
  return typeof version === "string" ? version : "";
}
