/** One value of an object that is somebody else's, such as a request. */
export interface Kept<K extends object, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/**
 * Keeps a value on the object itself. A WeakMap would have the same life in the end, but V8 takes its
 * values for alive at each young collection, whatever has become of their keys: with them all of a call
 * that is long over, its request and response and everything these hold, is copied twice and grows old.
 *
 * @param name for who looks at the object in a debugger
 */
export function keptOn<K extends object, V>(name: string): Kept<K, V> {
  const slot = Symbol(name);
  const at = (key: K): { [name: symbol]: V | undefined } => key as { [name: symbol]: V | undefined };
  return {
    get: (key) => at(key)[slot],
    set: (key, value) => {
      at(key)[slot] = value;
    },
  };
}
