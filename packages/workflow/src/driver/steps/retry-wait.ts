/**
 * How long to wait before a step is tried again, in milliseconds: `backoffMs`, doubled with each try
 * after the first, of which up to a half is left out, so that steps that failed together do not come
 * back together. How much follows from `name` alone, so a replay waits as long.
 *
 * @param tries how often it was tried so far, from 1
 * @param name of the wait, its run included
 */
export function retryWaitMs(backoffMs: number, tries: number, name: string): number {
  return Math.round(backoffMs * 2 ** (tries - 1) * (0.5 + uniform(name) / 2));
}

/** In [0, 1), evenly over names that differ in one letter too: FNV-1a, then the finish of MurmurHash3. */
function uniform(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
