// Starts the command line from the sources, as the root scripts do.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const cli = join(root, "apps/orchestrator/src/bin/troupe.ts");
const flags = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"];

/** An empty home folder; call `remove` when done. */
export function emptyHome() {
  const home = mkdtempSync(join(tmpdir(), "troupe-bench-"));
  return { home, remove: () => rmSync(home, { recursive: true, force: true }) };
}

export function startTroupe(args, home) {
  return spawn(process.execPath, [...flags, cli, ...args], {
    cwd: home,
    env: { ...process.env, TROUPE_HOME: join(home, ".troupe"), ANTHROPIC_API_KEY: "", OPENAI_BASE_URL: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Resolves with the exit code; rejects with what it said on stderr when that is not `expected`. */
export function ended(child, expected = 0) {
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  child.stdout.resume();
  return new Promise((resolve, reject) => {
    child.on("exit", (code) =>
      code === expected ? resolve(code) : reject(new Error(`exit ${code}: ${said.slice(-2000)}`)),
    );
  });
}
