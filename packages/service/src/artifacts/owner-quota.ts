import { StoreError } from "@troupe/core";

/** What all files of somebody may have, where people are told apart: nobody fills the disk for everybody else. */
export const OWNER_BYTES = 10 * 1024 ** 3;

/** What is kept of a file beside its bytes: without it countless empty ones would cost nothing. */
export const ENTRY_BYTES = 16 * 1024;

/** Room for one file that is being put. */
export interface Room {
  /** So many bytes more have come. Throws a `StoreError` (`store.full`) where they are too many. */
  readonly grow: (bytes: number) => void;
  /** The put is over; of one that failed nothing is kept. */
  readonly end: (kept: boolean) => void;
}

interface Tally {
  /** What the owner had when the first of the puts that go on began. */
  readonly before: Promise<number>;
  /** What came since, with what was kept of it already. */
  came: number;
  going: number;
}

/**
 * What the files of an owner may have together. Puts that go on at once count together, so that nobody
 * gets further by many at a time; what is deleted meanwhile counts again when all of them are over.
 */
export function ownerQuota(options: {
  readonly maxBytes: number;
  /** Of all that is kept for an owner, each file with `ENTRY_BYTES`. */
  readonly usage: (owner: string) => Promise<number>;
}): (owner: string) => Promise<Room> {
  const { maxBytes, usage } = options;
  const tallies = new Map<string, Tally>();
  return async (owner) => {
    const tally = tallies.get(owner) ?? { before: usage(owner), came: 0, going: 0 };
    tallies.set(owner, tally);
    tally.going++;
    let mine = 0;
    const end = (kept: boolean): void => {
      if (!kept) tally.came -= mine;
      if (--tally.going === 0) tallies.delete(owner);
    };
    try {
      const before = await tally.before;
      const grow = (bytes: number): void => {
        mine += bytes;
        tally.came += bytes;
        if (before + tally.came <= maxBytes) return;
        throw new StoreError(
          "store.full",
          `Your files fill the ${maxBytes} bytes they may have. Delete some first.`,
        );
      };
      grow(ENTRY_BYTES);
      return { grow, end };
    } catch (error) {
      end(false);
      throw error;
    }
  };
}
