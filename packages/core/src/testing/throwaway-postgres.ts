import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "./free-port.ts";

export interface ThrowawayPostgres {
  readonly connectionString: string;
  /** As when a machine is reset: every connection breaks, and what was committed is there again. */
  crash(): Promise<void>;
  /** After `crash`, on the same port. */
  start(): Promise<void>;
  /** Stops it and removes all of it. */
  close(): Promise<void>;
}

/**
 * A cluster of Postgres of its own, in a temporary folder and on a free port of this machine, for
 * tests. Postgres refuses to run as root: there it runs as the system's user for it, or as nobody.
 */
export async function throwawayPostgres(): Promise<ThrowawayPostgres> {
  const dir = mkdtempSync(join(tmpdir(), "troupe-postgres-"));
  const user = otherUser();
  if (user !== undefined) chownSync(dir, user.uid, user.gid);
  const data = join(dir, "data");
  const own = { ...user, cwd: dir, stdio: "pipe" as const };
  execFileSync(binary("initdb"), ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync"], own);
  const port = await freePort();
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    // Only the machine could lose what is not synced, and nothing of this outlives the machine.
    const set = ["listen_addresses=127.0.0.1", "fsync=off"].flatMap((setting) => ["-c", setting]);
    const args = ["-D", data, "-p", String(port), "-k", dir, ...set];
    const child = spawn(binary("postgres"), args, { ...own, stdio: ["ignore", "ignore", "pipe"] });
    server = child;
    let said = "";
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.includes("ready to accept connections")) resolve();
      });
      child.once("exit", () => reject(new Error(`Postgres did not start: ${said}`)));
    });
  };
  const stop = (signal: NodeJS.Signals): Promise<void> =>
    new Promise((resolve) => {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) resolve();
      else server.once("exit", () => resolve()).kill(signal);
    });

  await start();
  return {
    connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
    // The immediate shutdown: nobody is told goodbye, and the journal is read at the next start.
    crash: () => stop("SIGQUIT"),
    start,
    async close() {
      await stop("SIGINT");
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Debian keeps the programs of each version apart, off the PATH. */
function binary(name: string): string {
  const versions = "/usr/lib/postgresql";
  const found = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const paths = found.map((version) => join(versions, version, "bin", name));
  return paths.find((path) => existsSync(path)) ?? name;
}

function otherUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string, user: string): number =>
    Number(execFileSync("id", [flag, user], { stdio: ["ignore", "pipe", "ignore"] }));
  for (const user of ["postgres", "nobody"]) {
    try {
      return { uid: id("-u", user), gid: id("-g", user) };
    } catch {
      continue;
    }
  }
  return undefined;
}
