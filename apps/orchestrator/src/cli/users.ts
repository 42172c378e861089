import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Notes that this process uses the servers of a home, whoever started them, so that a command which
 * ends before it does not stop them. One empty file a process, named by its id.
 * @returns takes the note away again; one that is left by a process that died counts for nothing
 */
export function signIn(home: string): () => void {
  const folder = usersFolder(home);
  const file = join(folder, String(process.pid));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, "");
  return () => rmSync(file, { force: true });
}

/** Whether a process other than this one uses the servers of a home. */
export function isUsedByOthers(home: string): boolean {
  return readdirSync(usersFolder(home)).some((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) && pid !== process.pid && runs(pid);
  });
}

/**
 * Notes that this process is about to stop the servers of a home. Made before looking for users, as
 * a user signs in before looking for this: so one of the two always sees the other.
 * @returns takes the note away again
 */
export function announceStop(home: string): () => void {
  const file = join(home, "run", "stopping");
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

/** Whether another process, which still runs, is about to stop the servers of a home. */
export function isStopping(home: string): boolean {
  try {
    const pid = Number(readFileSync(join(home, "run", "stopping"), "utf8"));
    return pid > 0 && pid !== process.pid && runs(pid);
  } catch {
    return false;
  }
}

function usersFolder(home: string): string {
  return join(home, "run", "users");
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process runs all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
