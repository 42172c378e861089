import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Imports a package as it is installed in `project`. */
export function importFrom(project, name) {
  const require = createRequire(join(project, "package.json"));
  return import(pathToFileURL(require.resolve(name)).href);
}
