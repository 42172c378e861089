/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK's objects are no event targets; they call one assigned function */

interface Closes {
  onclose?: (() => void) | undefined;
}

interface Fails {
  onerror?: ((error: Error) => void) | undefined;
}

/** Runs `fn` when the SDK object closes, after what was there before. */
export function onClose(target: Closes, fn: () => void): void {
  const before = target.onclose;
  target.onclose = () => {
    before?.();
    fn();
  };
}

/** Runs `fn` on every out-of-band error of the SDK object, after what was there before. */
export function onError(target: Fails, fn: (error: Error) => void): void {
  const before = target.onerror;
  target.onerror = (error) => {
    before?.(error);
    fn(error);
  };
}
