import { StoreError } from "@troupe/core/errors";

import type { CliContext } from "./context.ts";
import { announceStop, isStarting, isStopping, otherUsers } from "./users.ts";

type Waiting = Pick<CliContext, "home" | "clock" | "interrupted" | "err">;

const LOOK_MS = 250;
/** How long a command may take to stop its servers, which have 25 s and are killed then, or to start them. */
const STOP_MS = 60_000;
/** How long a command that has ended keeps its servers for others. */
const USE_MS = 60 * 60_000;

/**
 * Waits while another command starts or stops the servers of the home. Throws a `StoreError` when it does not
 * come to an end.
 */
export async function untilSettled({ home, clock, interrupted }: Waiting): Promise<void> {
  const until = clock.now() + STOP_MS;
  for (;;) {
    const does = isStopping(home) ? "stopping" : isStarting(home) ? "starting" : undefined;
    if (does === undefined || interrupted.aborted) return;
    if (clock.now() >= until)
      throw new StoreError(
        "store.locked",
        `Another command has been ${does} the servers of "${home}" for ${STOP_MS / 1000} s. End it, or set TROUPE_HOME to another folder.`,
      );
    await clock.sleep(LOOK_MS);
  }
}

/**
 * Waits until no other command uses the servers of the home, but not for ever: what a command does with
 * servers that go away is kept, and goes on where its run is answered.
 * @returns to be called when the servers are stopped
 */
export async function untilUnused({ home, clock, interrupted, err }: Waiting): Promise<() => void> {
  const until = clock.now() + USE_MS;
  for (let told = false; ; told = true) {
    const stopped = announceStop(home);
    const users = otherUsers(home);
    if (interrupted.aborted || users.length === 0) return stopped;
    const who = `Another command (process ${users[0]})`;
    if (clock.now() >= until) {
      err(`${who} uses these servers after ${USE_MS / 60_000} min still; they are stopped now.\n`);
      return stopped;
    }
    stopped();
    if (!told) err(`${who} uses these servers; waiting for it to end. Ctrl-C stops them now.\n`);
    await clock.sleep(LOOK_MS);
  }
}
