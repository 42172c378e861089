import type { ToolContext } from "@troupe/core";
import type { Clock } from "@troupe/stream";

/** Tells a watching client this often that the work goes on, in seconds. */
const EVERY_S = 5;

/** Waits for work that cannot say how far it is, such as a query. */
export async function reportWhileRunning<T>(
  work: Promise<T>,
  message: string,
  { clock, progress }: Pick<ToolContext, "progress"> & { readonly clock: Clock },
): Promise<T> {
  if (progress === undefined) return work;
  let seconds = 0;
  const report = (): void => {
    seconds += EVERY_S;
    progress({ message: `${message} (${seconds} s)`, done: seconds });
    cancel = clock.schedule(EVERY_S * 1_000, report);
  };
  let cancel = clock.schedule(EVERY_S * 1_000, report);
  return work.finally(() => cancel());
}
