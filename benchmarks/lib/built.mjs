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
  node: "packages/core/dist/adapters/node/index.js",
};

/** Builds the orchestrator and all it stands on, and loads those named. */
export async function built(...names) {
  if (!process.env.NOBUILD)
    command("pnpm", ["exec", "turbo", "run", "build", "--filter=@troupe/orchestrator"], root);
  const loaded = {};
  for (const name of names) Object.assign(loaded, await load(name));
  return loaded;
}

function load(name) {
  return import(pathToFileURL(join(root, ENTRIES[name])).href);
}
