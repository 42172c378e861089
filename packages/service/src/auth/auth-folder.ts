import { join } from "node:path";

/** Where what authentication keeps of itself stands in a home. */
export function authFolder(home: string): string {
  return join(home, "auth");
}
