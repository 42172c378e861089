import { headerOf, queryOf, type Incoming } from "./step.ts";

export const VERSION_HEADER = "A2A-Version";
export const LEGACY_VERSION = "0.3";

/**
 * The version a request speaks: of the header, or where that is missing of the query. Patch numbers
 * make no difference, and a request that names none speaks 0.3.
 */
export function versionOf(req: Incoming): string {
  return readVersion(headerOf(req, "a2a-version") || asked(req));
}

/** A version as a caller names it: without its patch number, and 0.3 where none is named. */
export function readVersion(named: string): string {
  const trimmed = named.trim();
  return trimmed === "" ? LEGACY_VERSION : trimmed.replace(/^(\d+\.\d+)\.\d+$/, "$1");
}

export function isLegacy(req: Incoming): boolean {
  return versionOf(req) === LEGACY_VERSION;
}

function asked(req: Incoming): string {
  const [version = "", ...more] = queryOf(req).getAll(VERSION_HEADER);
  return more.length === 0 ? version : "";
}
