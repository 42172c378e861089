import { makeFolder } from "@troupe/core/node";

/** Makes the home folder where it is missing, for nobody else to look into: it holds documents and answers. */
export function makeHome(home: string): void {
  makeFolder(home);
}
