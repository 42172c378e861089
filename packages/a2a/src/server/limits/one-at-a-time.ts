/**
 * Lets through one after the other, each in a turn of the event loop of its own: work that holds the
 * loop for long, and came at once, leaves room in between for whoever else waits.
 *
 * @param yieldToLoop resolves in a later turn, after what came by then was begun
 */
export function oneAtATime(yieldToLoop: () => Promise<void>): (begin: () => void) => void {
  let last = Promise.resolve();
  return (begin) => {
    // What one throws is no reason for the next to wait for ever.
    last = last
      .then(yieldToLoop)
      .then(begin)
      .catch(() => undefined);
  };
}
