import type { Frames } from "../adapters/animation-frames.ts";

/** Frames that come when a test says so. */
export function manualFrames(): { readonly frames: Frames; readonly draw: () => void } {
  const waiting = new Set<() => void>();
  return {
    frames(fn) {
      waiting.add(fn);
      return () => waiting.delete(fn);
    },
    draw() {
      for (const fn of waiting) {
        waiting.delete(fn);
        fn();
      }
    },
  };
}

/** Lets promises run: nothing in these tests waits for more than a few of them. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}
