/** Gives the place back; a second time does nothing. */
export type Release = () => void;

export interface Slots {
  /** One, or as many as are said; undefined when fewer of this key are left. */
  take(key: string, places?: number): Release | undefined;
  /** Keys with a place taken. */
  size(): number;
}

/** So many places for each key at a time. What is kept is bounded by the places that are taken. */
export function slots(max: number): Slots {
  const taken = new Map<string, number>();
  return {
    take(key, places = 1) {
      const count = taken.get(key) ?? 0;
      if (count + places > max) return undefined;
      taken.set(key, count + places);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (taken.get(key) ?? places) - places;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
    size() {
      return taken.size;
    },
  };
}
