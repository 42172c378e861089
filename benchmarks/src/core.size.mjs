// What node_modules holds after core, or AI SDK, was installed into an empty project.
import { join } from "node:path";

import { folderSize } from "../lib/folder-size.mjs";
import { installCore } from "../lib/ours.mjs";
import { peerFolder } from "../lib/peers.mjs";

let core;
let ai;

export const unit = "MB";
export const pairs = 1;

export function prepare() {
  core = installCore();
  ai = peerFolder("ai");
}

export const ours = () => megabytes(core);
export const peer = () => megabytes(ai);

function megabytes(folder) {
  return folderSize(join(folder, "node_modules")) / 1_000_000;
}
