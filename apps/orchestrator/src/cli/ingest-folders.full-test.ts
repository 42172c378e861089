import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { cleanUp, runTroupe, temporaryFolder, type Finished } from "../testing/troupe.ts";

afterEach(cleanUp);

describe("troupe ingest", { timeout: 120_000 }, () => {
  it("takes in a folder of more files than one call takes, and says what is no file", async () => {
    const folder = temporaryFolder();
    for (let n = 1; n <= 1_001; n++) writeFileSync(join(folder, `${n}.md`), `Note ${n} says ${n * 7}.\n`);
    writeFileSync(join(folder, "na\u001b[31mme.md"), "Parking costs 30 euro.\n");
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    const home = join(temporaryFolder(), "home");
    const end = await runTroupe(["ingest", folder, "--collection", "c"], { home });
    const counts = [...end.stdout.matchAll(/(\d+) indexed/g)].map(([, count]) => Number(count));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_002);
    expect(end.stdout).toContain("pipe.md: is not a regular file");
    expect(end.stdout).not.toContain("\u001b");
  });

  it("forgets what stands in the folders no more, tells each, and lists what there is", async () => {
    const folder = temporaryFolder();
    const docs = join(folder, "docs");
    const home = join(folder, "home");
    const call = (...args: readonly string[]): Promise<Finished> => runTroupe(args, { home });
    const ingest = (path: string, ...more: readonly string[]): Promise<Finished> =>
      call("ingest", path, "--collection", "mine", ...more);
    mkdirSync(join(docs, "deep"), { recursive: true });
    writeFileSync(join(docs, "kept.md"), "# Kept\n\nThe kettle is red.\n");
    writeFileSync(join(docs, "deep", "gone.md"), "# Gone\n\nThe pot is blue.\n");
    writeFileSync(join(docs, "sales.csv"), "region,revenue\nNorth,1\n");
    expect((await ingest(docs)).code).toBe(0);
    const listed = await call("collections", "--json");
    expect(JSON.parse(listed.stdout)).toEqual([
      {
        name: "mine",
        documents: 2,
        passages: 2,
        tables: [{ name: "sales", source: "sales.csv", rows: 1, columns: 2 }],
      },
    ]);
    rmSync(join(docs, "deep"), { recursive: true });
    const empty = join(folder, "empty");
    mkdirSync(empty);
    for (const [path, message] of [
      [empty, /There is nothing to take in under .*empty", so nothing is forgotten/],
      [join(folder, "missing"), /missing" does not exist/],
      [join(docs, "kept.md"), /kept\.md" is a file; --prune compares with folders/],
    ] as const) {
      const refused = await ingest(path, "--prune");
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toMatch(message);
    }
    const pruned = await ingest(docs, "--prune");
    expect(pruned).toMatchObject({ code: 0, stderr: "" });
    expect(pruned.stdout).toContain("- forgotten: gone.md\n");
    expect(pruned.stdout).not.toMatch(/(forgotten|still there): (kept|sales)/);
    rmSync(join(docs, "sales.csv"));
    const kept = await ingest(docs, "--prune");
    expect(kept).toMatchObject({ code: 3, stderr: "" });
    expect(kept.stdout).toMatch(/still there: sales\.csv -> sales: a table cannot be forgotten by itself/);
    const text = await call("collections");
    expect(text.stdout).toBe("mine: 1 document (1 passage), 1 table\n    sales: 1 row, 2 columns\n");
  });
});
