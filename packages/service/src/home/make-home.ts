import { mkdirSync } from "node:fs";

/** Makes the home folder where it is missing, for nobody else to look into: it holds documents and answers. */
export function makeHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
}
