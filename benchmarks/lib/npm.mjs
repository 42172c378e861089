import { spawnSync } from "node:child_process";

const windows = process.platform === "win32";

/** Runs a command to its end. Throws with what it printed when it fails. */
export function command(name, args, folder) {
  const done = spawnSync(name, args, { cwd: folder, encoding: "utf8", shell: windows });
  if (done.status === 0) return;
  const said = `${done.stdout ?? ""}${done.stderr ?? ""}`;
  throw new Error(`${name} ${args.join(" ")} failed in ${folder}:\n${said}`, { cause: done.error });
}

export const QUIET = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--prefer-offline"];
