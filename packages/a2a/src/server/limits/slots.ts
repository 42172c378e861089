/** Gives the place back; a second time does nothing. */
export type Release = () => void;

export interface Slots {
  /** Undefined when all places of this key are taken. */
  take(key: string): Release | undefined;
  /** Keys with a place taken. */
  readonly size: number;
}

/** So many places for each key at a time. What is kept is bounded by the places that are taken. */
export function slots(max: number): Slots {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const count = taken.get(key) ?? 0;
      if (count >= max) return undefined;
      taken.set(key, count + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (taken.get(key) ?? 1) - 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
    get size() {
      return taken.size;
    },
  };
}
