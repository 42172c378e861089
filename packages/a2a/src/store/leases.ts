import type { Clock } from "@troupe/stream";

/** Who of the runtimes in this process says that it works. */
export interface Leases {
  renew(holder: string): void;
  release(holder: string): void;
  isAlive(holder: string): boolean;
}

export function createLeases(clock: Clock, leaseMs: number): Leases {
  const until = new Map<string, number>();
  return {
    renew: (holder) => void until.set(holder, clock.now() + leaseMs),
    release: (holder) => void until.delete(holder),
    isAlive: (holder) => (until.get(holder) ?? 0) > clock.now(),
  };
}
