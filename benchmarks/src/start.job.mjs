// The main job after the install, from nothing to the deck: servers up, examples taken in, the
// presentation made and written. A new home folder each time; the last one has nothing cached.
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { emptyHome, ended, startTroupe } from "../lib/troupe.mjs";

export const unit = "ms";
export const pairs = 3;

export async function ours() {
  const { home, remove } = emptyHome();
  try {
    const start = performance.now();
    await ended(startTroupe(["demo", "--out", "out"], home));
    const ms = performance.now() - start;
    if (!readdirSync(join(home, "out")).some((name) => name.endsWith(".pptx")))
      throw new Error("no deck was made");
    return ms;
  } finally {
    remove();
  }
}
