import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { arch, homedir, platform } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** The version that the tests run against. */
export const RESTATE_VERSION = "1.7.12";

/** 216 MB, so it is fetched once for all checkouts of this user. */
const CACHE = join(homedir(), ".cache", "troupe");

/**
 * The program of a Restate server, fetched from the npm registry the first time. It is no dependency of
 * anything: who only uses this package runs a server of his own.
 */
export async function restateBinary(): Promise<string> {
  const folder = join(CACHE, `restate-server-${RESTATE_VERSION}`);
  const binary = join(
    folder,
    `node_modules/@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`,
  );
  if (!existsSync(binary)) await fetchInto(folder);
  if (!existsSync(binary)) throw new Error(`there is no Restate server for ${platform()} on ${arch()}`);
  return binary;
}

/** Whole or not at all: several test processes may fetch it at once. */
async function fetchInto(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const made = await mkdtemp(`${folder}-`);
  await writeFile(join(made, "package.json"), '{ "private": true }\n');
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  const wanted = `@restatedev/restate-server@${RESTATE_VERSION}`;
  await promisify(execFile)("npm", ["install", ...flags, wanted], { cwd: made });
  await rename(made, folder).catch(() => rm(made, { recursive: true, force: true }));
}
