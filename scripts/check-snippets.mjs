// Checks what the documentation says against the files it speaks of:
//   - a fenced block under `<!-- from PATH -->` stands in that file (a line `// ...` leaves lines out)
//   - every block marked ts comes from a file
//   - relative links and paths in backticks lead somewhere
//   - what a README's table of exports names is exported
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pages = ["*.md", "docs/**/*.md", "packages/*/*.md", "apps/*/*.md"].flatMap((pattern) =>
  globSync(pattern, { cwd: root, exclude: (name) => name === "node_modules" || name === "CHANGELOG.md" }),
);
const problems = [];
let checked = 0;

for (const page of pages) {
  const text = readFileSync(join(root, page), "utf8");
  const report = (offset, what) =>
    problems.push(`${page}:${text.slice(0, offset).split("\n").length}: ${what}`);
  checkBlocks(text, report);
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, " "));
  checkLinks(page, prose, report);
  checkPaths(prose, report);
  if (/^(packages|apps)\//.test(page)) checkExports(page, prose, report);
}

function checkBlocks(text, report) {
  for (const found of text.matchAll(/(?:<!-- from (\S+) -->\n+)?^```(\w*)\n([\s\S]*?)^```/gm)) {
    const [, path, language, block] = found;
    if (path === undefined) {
      if (language === "ts") report(found.index, "a ts block without `<!-- from PATH -->` above it");
      continue;
    }
    checked++;
    const file = join(root, path);
    if (!existsSync(file)) report(found.index, `${path} does not exist`);
    else {
      const missing = firstMissing(block, readFileSync(file, "utf8"));
      if (missing !== undefined) report(found.index, `this does not stand in ${path}: ${missing}`);
    }
  }
}

/** The first line of a part that stands nowhere in the file after the part before it. */
function firstMissing(block, file) {
  const lines = file.split("\n").map((line) => line.trim());
  let from = 0;
  for (const part of block.split(/^\s*(?:\/\/|#) \.\.\.\n/m)) {
    const wanted = part
      .trim()
      .split("\n")
      .map((line) => line.trim());
    const at = lines.findIndex(
      (_, start) => start >= from && wanted.every((line, n) => lines[start + n] === line),
    );
    if (at === -1) return wanted.find((line) => !lines.includes(line)) ?? wanted[0];
    from = at + wanted.length;
  }
  return undefined;
}

function checkLinks(page, prose, report) {
  for (const found of prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
    const target = found[1];
    if (/^[a-z]+:/.test(target)) continue;
    checked++;
    if (!existsSync(resolve(root, dirname(page), target)))
      report(found.index, `the link ${target} leads nowhere`);
  }
}

/** Paths from the root, such as `packages/core/src/loop`; with `<name>` or `*` in them they are patterns. */
function checkPaths(prose, report) {
  const folders = /^(?:packages|apps|docs|examples|scripts|benchmarks|\.ci|\.changeset)\//;
  for (const found of prose.matchAll(/`([^`\s]+)`/g)) {
    const path = found[1];
    if (!folders.test(path) || path.includes("<")) continue;
    checked++;
    const there = path.includes("*")
      ? globSync(path, { cwd: root }).length > 0
      : existsSync(join(root, path));
    if (!there) report(found.index, `${path} does not exist`);
  }
}

/** A table whose first heading is a package name lists exports of it. */
function checkExports(page, prose, report) {
  const folder = join(root, dirname(page));
  const { name, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const table of prose.matchAll(/^\| `(@troupe\/[\w/-]+)` [\s\S]*?(?:\n\n|$(?![\s\S]))/gm)) {
    const source = exports?.[table[1].replace(name, ".")]?.["troupe-source"];
    if (source === undefined) {
      report(table.index, `${table[1]} is no entry of ${name}`);
      continue;
    }
    const index = readFileSync(join(folder, source), "utf8");
    for (const row of table[0].split("\n").slice(2)) {
      for (const [, exported] of (row.split("|")[1] ?? "").matchAll(/`(\w+)[^`]*`/g)) {
        checked++;
        if (!new RegExp(`\\b${exported}\\b`).test(index)) {
          report(table.index, `${relative(root, join(folder, source))} does not export ${exported}`);
        }
      }
    }
  }
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.stderr.write(`${problems.length} of ${checked} references in ${pages.length} pages are wrong.\n`);
  process.exit(1);
}
process.stdout.write(`${checked} references in ${pages.length} pages are right.\n`);
