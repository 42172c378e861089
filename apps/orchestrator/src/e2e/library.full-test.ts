import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { repository, runCommand, startServer } from "../testing/commands.ts";

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
}

/** A workspace package and those it needs, deepest first, by folder. */
function closure(folder: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    if (!range.startsWith("workspace:") || found.has(name)) continue;
    const dependency = join(repository, "packages", name.replace("@troupe/", ""));
    closure(dependency, found);
    found.set(name, dependency);
  }
  return found;
}

async function pack(folder: string, target: string): Promise<string> {
  const printed = await runCommand("pnpm", ["pack", "--json", "--pack-destination", target], { cwd: folder });
  const { filename, files } = JSON.parse(printed) as { filename: string; files: { path: string }[] };
  if (!files.some((file) => file.path === "dist/index.js"))
    throw new Error(`${folder} is not built: run pnpm build`);
  return filename;
}

/** What is published, in a project that knows nothing of this repository. */
describe("the packed library in an empty project", () => {
  const project = mkdtempSync(join(tmpdir(), "troupe-consumer-"));
  const run = (command: string, ...args: readonly string[]): Promise<string> =>
    runCommand(command, args, { cwd: project });

  beforeAll(async () => {
    cpSync(join(import.meta.dirname, "consumer"), project, { recursive: true });
    const orchestrator = join(repository, "apps", "orchestrator");
    const packages = new Map([...closure(orchestrator), ["@troupe/orchestrator", orchestrator]]);
    const tarballs: { [name: string]: string } = {};
    for (const [name, folder] of packages) tarballs[name] = `file:${await pack(folder, project)}`;
    writeFileSync(
      join(project, "package.json"),
      JSON.stringify({
        name: "consumer",
        private: true,
        type: "module",
        dependencies: tarballs,
        overrides: tarballs,
      }),
    );
    await run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts");
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it("runs agents of this process and of another, in sequence and at the same time", async () => {
    const env = { HOME: project };
    const remote = await startServer(["remote.mjs"], { cwd: project, env });
    try {
      const printed = await runCommand(process.execPath, ["main.mjs", remote.url], { cwd: project, env });
      expect(printed).toBe("all is as it should be\n");
    } finally {
      await remote.stop();
    }
  });

  it("gives a TypeScript project its types", async () => {
    const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--skipLibCheck"];
    expect(await run(process.execPath, tsc, ...flags, "types.ts")).toBe("");
  });

  it("brings its command line", async () => {
    expect(await run(join(project, "node_modules", ".bin", "troupe"), "--help")).toContain("Usage: troupe");
  });
});
