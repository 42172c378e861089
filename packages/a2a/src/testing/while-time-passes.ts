import type { VirtualClock } from "@troupe/core/testing";

import { yieldToLoop } from "../adapters/yield-to-loop.ts";

/** What comes while time passes in steps of `ms`, in each of which the sockets get their turn. */
export async function whileTimePasses<T>(clock: VirtualClock, ms: number, awaited: Promise<T>): Promise<T> {
  const come = awaited.then(() => true);
  const step = (): Promise<boolean> =>
    clock
      .advance(ms)
      .then(yieldToLoop)
      .then(() => false);
  while (!(await Promise.race([come, step()])));
  return awaited;
}
