// Runs a task of this repository with the Node and pnpm it is built with, on a machine that has
// only npm and some Node from 20 on. They come through npx and are remembered in node_modules.
//
//   node scripts/run.mjs start|troupe|test|test:full|bench|crash|crash:runs|simulate|model-check|tck:agent|vectors|check|pnpm [arguments]
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE = "24.21.0";
const PNPM = "12.21.0";
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";
const remembered = join(root, "node_modules", ".cache", "troupe", "tools.json");
/** What the installation that is there was made of. */
const installed = join(dirname(remembered), "installed");

const TASKS = {
  start: { run: (args) => cli(args.length === 0 || args[0] === "--playbook" ? ["demo", ...args] : args) },
  troupe: { run: (args) => cli(args) },
  test: { run: () => ["pnpm", ["check:all"]] },
  "test:full": { run: () => ["pnpm", ["check:full"]] },
  bench: { run: (args) => ["node", ["benchmarks/run.mjs", ...args]] },
  crash: { run: (args) => source("packages/service/src/testing/crash/main.ts", args) },
  "crash:runs": { run: (args) => source("apps/orchestrator/src/testing/crash/main.ts", args) },
  "model-check": { run: (args) => source("packages/workflow/src/testing/model/main.ts", args) },
  simulate: { run: (args) => source("packages/workflow/src/testing/simulation/main.ts", args) },
  "tck:agent": { run: (args) => source("packages/a2a/src/testing/tck/main.ts", args) },
  vectors: { run: (args) => source("apps/orchestrator/src/testing/vectors/main.ts", args) },
  check: { run: (args) => source("packages/checks/scripts/check-lines.mjs", args) },
  pnpm: { installs: true, run: (args) => ["pnpm", args] },
};

function cli(args) {
  return source("apps/orchestrator/src/bin/troupe.ts", args);
}

function source(file, args) {
  return [
    "node",
    ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning", join(root, file), ...args],
  ];
}

/** The folder that holds `node` and `pnpm` of the right versions. */
function findTools() {
  const key = `${NODE} ${PNPM}`;
  try {
    const saved = JSON.parse(readFileSync(remembered, "utf8"));
    if (saved.key === key && existsSync(join(saved.bin, windows ? "node.exe" : "node"))) return saved.bin;
  } catch {
    // Not remembered yet.
  }
  const script = "console.log(process.env.PATH || process.env.Path)";
  const npx = spawnSync(
    "npx",
    ["-y", "--prefer-offline", "-p", `node@${NODE}`, "-p", `pnpm@${PNPM}`, "-c", `node -e "${script}"`],
    { cwd: root, encoding: "utf8", shell: windows, stdio: ["ignore", "pipe", "inherit"] },
  );
  const bin = (npx.stdout ?? "")
    .trim()
    .split(delimiter)
    .find((folder) => existsSync(join(folder, windows ? "pnpm.cmd" : "pnpm")) && folder.includes("_npx"));
  if (npx.status !== 0 || bin === undefined) {
    console.error(
      `Node ${NODE} and pnpm ${PNPM} could not be fetched through npx. Is the npm registry reachable?`,
    );
    process.exit(1);
  }
  return bin;
}

/** Changes with the lockfile, with every package.json of the workspace, and where something was taken away. */
function fingerprint() {
  const folders = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  const hash = createHash("sha256");
  const add = (file) => {
    if (existsSync(join(root, file))) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  };
  add("pnpm-lock.yaml");
  add("pnpm-workspace.yaml");
  for (const folder of [".", "examples", ...folders]) {
    add(join(folder, "package.json"));
    if (existsSync(join(root, folder, "node_modules"))) hash.update("installed\n");
  }
  return hash.digest("hex");
}

/** Installs what is missing: as the lockfile says, and anew where a folder of your own is not in it yet. */
function install() {
  if (existsSync(installed) && readFileSync(installed, "utf8") === fingerprint()) return;
  if (!existsSync(installed)) console.error("Installing what it needs; this is done once.");
  let { status, said } = pnpmInstall("--frozen-lockfile");
  if (status !== 0 && /ERR_PNPM_\w*(OUTDATED_LOCKFILE|NO_IMPORTER)/.test(said)) {
    if (process.env.CI) {
      console.error("Run `npm run pnpm -- install` outside of CI and commit pnpm-lock.yaml.");
    } else {
      console.error("A package.json is new or was changed: installing it and updating pnpm-lock.yaml.");
      ({ status, said } = pnpmInstall("--no-frozen-lockfile", "--prefer-offline"));
    }
  }
  if (status !== 0) {
    console.error(`${said.trim()}\nThe installation failed (pnpm install).`);
    process.exit(status ?? 1);
  }
  mkdirSync(dirname(installed), { recursive: true });
  writeFileSync(installed, fingerprint());
}

/** Says nothing by itself: what is worth reading of an installation is why it failed. */
function pnpmInstall(...flags) {
  const { status, stdout, stderr, error } = spawnSync(
    "pnpm",
    ["install", "--reporter=append-only", ...flags],
    {
      cwd: root,
      env,
      shell: windows,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 100_000_000,
    },
  );
  return { status, said: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}` };
}

function remember(bin) {
  mkdirSync(dirname(remembered), { recursive: true });
  writeFileSync(remembered, JSON.stringify({ key: `${NODE} ${PNPM}`, bin }));
}

const [name = "", ...args] = process.argv.slice(2);
const task = TASKS[name];
if (task === undefined) {
  console.error(`Unknown task "${name}". Tasks: ${Object.keys(TASKS).join(", ")}.`);
  process.exit(2);
}
const bin = findTools();
const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
  TURBO_TELEMETRY_DISABLED: "1",
};
// Not for tests: coverage of code out of the cache is less exact.
if (name === "start" || name === "troupe") env.NODE_COMPILE_CACHE ??= join(dirname(remembered), "compile");
// npm's own settings, handed down by `npm run`, mean nothing to pnpm and make it warn.
for (const key of Object.keys(env)) if (/^npm_config_/i.test(key)) delete env[key];

if (task.installs !== true) install();
remember(bin);

const [command, commandArgs] = task.run(args);
const child = spawn(command, commandArgs, {
  cwd: process.env.INIT_CWD && command === "node" && name !== "bench" ? process.env.INIT_CWD : root,
  env,
  stdio: "inherit",
  shell: windows && command !== "node",
});
// At a terminal Ctrl-C reaches the child by itself; a signal sent to us alone has to be handed on.
process.on("SIGINT", () => {
  if (!process.stdin.isTTY) child.kill("SIGINT");
});
process.on("SIGTERM", () => child.kill("SIGTERM"));
// npm hands a signal to the shell between us, which dies of it and tells nobody.
const parent = process.ppid;
const orphaned = () => process.ppid !== parent && child.kill("SIGTERM");
if (process.env.npm_lifecycle_event) setInterval(orphaned, 500).unref();
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
child.on("error", (error) => {
  console.error(`${command} could not be run: ${error.message}`);
  rmSync(remembered, { force: true });
  process.exit(1);
});
