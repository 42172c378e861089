// Packs every package as it would be published and looks at the tarballs: publint, are-the-types-wrong,
// and what neither knows. Needs a build.
//
//   node scripts/check-packages.mjs [NAME ...]        such as: core orchestrator
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const run = promisify(execFile);
const wanted = new Set(process.argv.slice(2));

/** Fetched for this check alone: they are no part of the installation. */
const TOOLS = ["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"];

const QUIET = ["--no-definitely-typed", "--no-color", "--no-emoji"];

/** Of no use to who installs the package. */
const UNWANTED = [
  [/\.(full-)?test\.|\.test-|__|fixtures?\//, "a test or its fixture"],
  [/\.tsbuildinfo$|tsconfig|turbo\.json|vitest/, "a file of the build"],
];

function packageDirs() {
  const dirs = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => join(root, parent, name))
      .filter((dir) => existsSync(join(dir, "package.json"))),
  );
  if (wanted.size === 0) return dirs;
  const unknown = [...wanted].filter((name) => !dirs.some((dir) => basename(dir) === name));
  if (unknown.length > 0) {
    console.error(`There is no package "${unknown.join('", "')}".`);
    process.exit(2);
  }
  return dirs.filter((dir) => wanted.has(basename(dir)));
}

/** Takes out of dist what has no source any more: the compiler leaves it there, and it would be published. */
function prune(dir) {
  const dist = join(dir, "dist");
  for (const name of readdirSync(dist, { recursive: true })) {
    const stem = /^(.*?)(\.d\.ts|\.js)(\.map)?$/.exec(name)?.[1];
    // What entries share has no source of its own; bundle-entries.mjs leaves nothing old of it.
    if (stem === undefined || stem.startsWith("shared/")) continue;
    const sources = [".ts", ".tsx"].map((extension) => join(dir, "src", `${stem}${extension}`));
    if (!sources.some((source) => existsSync(source))) rmSync(join(dist, name));
  }
}

async function pack(dir, folder) {
  const { stdout } = await run("pnpm", ["pack", "--json", "--pack-destination", folder], { cwd: dir });
  const packed = JSON.parse(stdout);
  return { tarball: packed.filename, files: packed.files.map((file) => file.path) };
}

/** What is wrong with one package, a line a problem. */
async function check(dir, folder) {
  if (!existsSync(join(dir, "dist"))) return ["there is no dist; run `pnpm build` first"];
  prune(dir);
  const { tarball, files } = await pack(dir, folder);
  const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  return [
    ...checkFiles(files),
    ...checkManifest(manifest),
    ...checkImports(dir, files, manifest),
    ...(await complaints("publint", tarball, "--strict", "--level", "warning")),
    ...(await complaints("attw", tarball, "--profile", "esm-only", ...QUIET)),
  ];
}

function checkFiles(files) {
  const problems = files.flatMap((file) =>
    UNWANTED.filter(([pattern]) => pattern.test(file)).map(
      ([, what]) => `${file} is published: it is ${what}`,
    ),
  );
  if (!files.includes("LICENSE")) problems.push("LICENSE is missing");
  return problems;
}

function checkManifest(manifest) {
  const problems = [];
  for (const key of ["description", "license", "engines", "exports", "files"])
    if (manifest[key] === undefined) problems.push(`package.json has no "${key}"`);
  if (manifest.type !== "module") problems.push('package.json is not "type": "module"');
  if (manifest.private === true) problems.push('package.json is "private"');
  return problems;
}

/** What is imported must come with the package: a devDependency is there only for us. */
function checkImports(dir, files, manifest) {
  const known = new Set([
    manifest.name,
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.optionalDependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  const missing = new Map();
  for (const file of files.filter((name) => /^dist\/.*\.(js|d\.ts)$/.test(name))) {
    const text = readFileSync(join(dir, file), "utf8");
    for (const [, name] of text.matchAll(
      /(?:\bfrom\s+|\bimport\s*\(?\s*)"((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^"]*)?"/g,
    ))
      if (!name.startsWith(".") && !isBuiltin(name) && !known.has(name)) missing.set(name, file);
  }
  return [...missing].map(([name, file]) => `${file} imports "${name}", which is no dependency of it`);
}

/** @returns the folder of their commands */
async function fetchTools(folder) {
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  await run("npm", ["install", "--prefix", folder, ...flags, ...TOOLS]).catch((error) => {
    throw new Error(`${TOOLS.join(" and ")} could not be fetched. Is the npm registry reachable?`, {
      cause: error,
    });
  });
  return join(folder, "node_modules", ".bin");
}

/** What a tool has to say against a package. */
async function complaints(name, ...args) {
  try {
    await run(join(tools, name), args, { maxBuffer: 10_000_000 });
    return [];
  } catch (error) {
    return [`${name}: ${`${error.stdout ?? ""}${error.stderr ?? ""}`.trim() || error.message}`];
  }
}

const dirs = packageDirs();
const folder = mkdtempSync(join(tmpdir(), "troupe-pack-"));
let tools = "";
let bad = 0;
const report = async () => {
  for (let dir = dirs.shift(); dir !== undefined; dir = dirs.shift()) {
    const problems = await check(dir, folder);
    if (problems.length > 0) bad++;
    console.log(`${problems.length === 0 ? "ok " : "BAD"} ${basename(dir)}`);
    for (const problem of problems) console.log(`    ${problem.replaceAll("\n", "\n    ")}`);
  }
};
try {
  tools = await fetchTools(join(folder, "tools"));
  await Promise.all(Array.from({ length: availableParallelism() }, report));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = bad === 0 ? 0 : 1;
