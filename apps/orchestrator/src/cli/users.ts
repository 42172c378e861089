import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
