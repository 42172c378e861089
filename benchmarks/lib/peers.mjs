import { existsSync } from "node:fs";
import { join } from "node:path";

import { command, QUIET } from "./npm.mjs";

/** The folder of a peer, installed from its own lockfile at first use. No part of the product's install. */
export function peerFolder(name) {
  const folder = join(import.meta.dirname, "../peers", name);
  if (!existsSync(join(folder, "node_modules/.package-lock.json"))) {
    process.stderr.write(`Installing the peer ${name}.\n`);
    command("npm", ["ci", ...QUIET], folder);
  }
  return folder;
}
