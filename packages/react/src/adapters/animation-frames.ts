/** Runs `fn` once, when it is time to draw, unless the returned function is called first. */
export type Frames = (fn: () => void) => () => void;

/** What a browser has, and other places have not. */
interface Page {
  readonly requestAnimationFrame?: (fn: () => void) => number;
  readonly cancelAnimationFrame?: (id: number) => void;
}

/** A page that is not seen draws nothing; its state is to go on all the same. */
const HIDDEN_MS = 250;

/** The frames of the browser; elsewhere, and in a page that is hidden, a timer. */
export const animationFrames: Frames = (fn) => {
  const stops: (() => void)[] = [];
  const stop = (): void => {
    for (const each of stops) each();
  };
  const run = (): void => {
    stop();
    fn();
  };
  const timer = setTimeout(run, HIDDEN_MS);
  stops.push(() => clearTimeout(timer));
  const page = globalThis as Page;
  const frame = page.requestAnimationFrame?.(run);
  if (frame !== undefined) stops.push(() => page.cancelAnimationFrame?.(frame));
  return stop;
};
