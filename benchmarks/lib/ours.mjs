import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "./built.mjs";
import { command, QUIET } from "./npm.mjs";

const root = join(import.meta.dirname, "../..");

/**
 * Core as its users get it: built, packed and installed with npm into an empty project. Returns
 * that project's folder. What is measured is this, never the sources.
 */
export function installCore() {
  const project = join(import.meta.dirname, "../node_modules/.core");
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  build("core");
  for (const name of ["stream", "core"]) {
    command("pnpm", ["pack", "--pack-destination", project], join(root, "packages", name));
  }
  writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true }\n');
  const tarballs = readdirSync(project).filter((file) => file.endsWith(".tgz"));
  command("npm", ["install", ...QUIET, ...tarballs.map((file) => `./${file}`)], project);
  return project;
}
