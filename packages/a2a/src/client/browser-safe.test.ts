import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

/** Every file that a module pulls in at run time, through relative imports and our own packages. */
function reach(
  entry: string,
  seen = new Map<string, readonly string[]>(),
): ReadonlyMap<string, readonly string[]> {
  if (seen.has(entry)) return seen;
  const source = readFileSync(entry, "utf8");
  const specifiers = [
    ...source.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from "([^"]+)"|^import "([^"]+)"/gms),
  ].map((match) => match[1] ?? match[2] ?? "");
  seen.set(entry, specifiers);
  for (const specifier of specifiers) {
    if (specifier.startsWith(".")) reach(fileURLToPath(new URL(specifier, `file://${entry}`)), seen);
    else if (specifier.startsWith("@troupe/")) reach(sourceOf(specifier), seen);
  }
  return seen;
}

/** The entry of one of our packages, as sources, so that nothing needs to be built. */
function sourceOf(specifier: string): string {
  const [scope, name, ...subpath] = specifier.split("/");
  const folder = new URL(`../../node_modules/${scope}/${name}/`, import.meta.url);
  const manifest = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as {
    exports: { [entry: string]: { "troupe-source": string } };
  };
  const entry = manifest.exports[[".", ...subpath].join("/")]?.["troupe-source"];
  if (entry === undefined) throw new Error(`${specifier} is no entry`);
  return realpathSync(fileURLToPath(new URL(entry, folder)));
}

describe("what runs in a browser", () => {
  it.each(["./index.ts", "../capture/index.ts"])("reaches nothing of Node: %s", (entry) => {
    const files = reach(fileURLToPath(new URL(entry, import.meta.url)));
    const bad = [...files].flatMap(([file, specifiers]) =>
      specifiers
        .filter((name) => name.startsWith("node:") || name === "express")
        .map((name) => `${file}: ${name}`),
    );
    expect(bad).toEqual([]);
    expect([...files.keys()].some((file) => file.includes("core/src/ports"))).toBe(true);
    expect(files.size).toBeGreaterThan(20);
  });
});
