// The packages as they are published: built, and loaded from what was built.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { command } from "./npm.mjs";

const root = join(import.meta.dirname, "..", "..");

const ENTRIES = {
  stream: "packages/stream/dist/index.js",
  core: "packages/core/dist/index.js",
  orchestrator: "apps/orchestrator/dist/index.js",
  server: "packages/a2a/dist/server/index.js",
  client: "packages/a2a/dist/client/index.js",
  workflow: "packages/workflow/dist/index.js",
  workflowTesting: "packages/workflow/dist/testing/index.js",
  restate: "packages/workflow-restate/dist/index.js",
  restateTesting: "packages/workflow-restate/dist/testing/index.js",
  node: "packages/core/dist/adapters/node/index.js",
  retrieval: "packages/retrieval/dist/index.js",
  checks: "packages/checks/dist/index.js",
};

/** Builds packages with all they depend on. With NOBUILD set, what was built before is taken. */
export function build(...packages) {
  if (process.env.NOBUILD) return;
  const filters = packages.map((name) => `--filter=@troupe/${name}`);
  command("pnpm", ["exec", "turbo", "run", "build", ...filters], root);
}

/** Builds the orchestrator, the optional Restate engine and all they depend on, and loads the named entries. */
export async function built(...names) {
  build("orchestrator", "workflow-restate");
  const loaded = {};
  for (const name of names) Object.assign(loaded, await load(name));
  return loaded;
}

function load(name) {
  return import(entryOf(name));
}

/** The address of a package's entry, for another process to load it. */
export function entryOf(name) {
  return pathToFileURL(join(root, ENTRIES[name])).href;
}
