/** Owners whose shares fill all places. */
const SHARES = 8;
/** Of all places the part that nobody has beyond their share: who comes finds it free. */
const KEPT_FREE = 1 / 4;

/** Places that are taken for a while. */
export interface Shares {
  /** Waits for a place; resolves with what gives it back, once. Rejects with the signal's reason. */
  enter(owner: string, signal: AbortSignal): Promise<() => void>;
}

interface Owner {
  used: number;
  /** Who waits, by when they came. */
  readonly line: Map<number, () => void>;
}

/**
 * Of `places` each owner has a share, and more only while more than a quarter of all is free: whose addresses
 * do not answer holds up nobody else, and who is alone has most of them. Whenever a place comes back, those
 * who came first and may enter do.
 */
export function createShares(places: number): Shares {
  const owners = new Map<string, Owner>();
  const share = Math.max(1, Math.floor(places / SHARES));
  const keptFree = Math.ceil(places * KEPT_FREE);
  let free = places;
  let came = 0;

  const may = ({ used }: Owner): boolean => free > (used < share ? 0 : keptFree);

  const forgetIdle = (name: string, owner: Owner): void => {
    if (owner.used === 0 && owner.line.size === 0) owners.delete(name);
  };

  const take = (name: string, owner: Owner): (() => void) => {
    free--;
    owner.used++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      free++;
      owner.used--;
      forgetIdle(name, owner);
      letIn();
    };
  };

  /** More than one may enter for a place that came back: its owner may be within its share again. */
  const letIn = (): void => {
    for (let first = firstWhoMay(); first !== undefined; first = firstWhoMay()) first();
  };

  // By owner, so that one with many who wait is looked at once.
  const firstWhoMay = (): (() => void) | undefined => {
    let soonest = Infinity;
    let found: (() => void) | undefined;
    for (const owner of owners.values()) {
      const [first] = owner.line;
      if (first === undefined || first[0] >= soonest || !may(owner)) continue;
      [soonest, found] = first;
    }
    return found;
  };

  return {
    enter(name, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const owner = owners.get(name) ?? { used: 0, line: new Map() };
      owners.set(name, owner);
      // Nobody who waits may enter, so nobody is passed by.
      if (may(owner)) return Promise.resolve(take(name, owner));
      const ticket = came++;
      return new Promise((resolve, reject) => {
        const leaveLine = (): void => {
          owner.line.delete(ticket);
          signal.removeEventListener("abort", giveUp);
        };
        const giveUp = (): void => {
          leaveLine();
          forgetIdle(name, owner);
          reject(signal.reason as Error);
        };
        owner.line.set(ticket, () => {
          leaveLine();
          resolve(take(name, owner));
        });
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
