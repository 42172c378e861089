import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog } from "@troupe/core";
import { expect, it, onTestFinished } from "vitest";

import { collectionFolder, readRegistry } from "../store/registry.ts";
import { ingestCsv } from "./ingest-csv.ts";

it("is replaced when its files are ingested again, and kept aside with the tables from before", async () => {
  const home = await mkdtemp(join(tmpdir(), "troupe-damaged-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const csv = join(home, "sales.csv");
  await writeFile(csv, "region,sales\nNorth,1\nSouth,2\n");
  const ingest = (paths: readonly string[]) => ingestCsv({ home, collection: "shop", paths, log: silentLog });
  await ingest([csv]);
  const folder = collectionFolder(home, "shop");
  const registry = join(folder, "registry.json");
  for (const [number, damaged] of ['{"v":1,', '{"v":1,"tables":[]}'].entries()) {
    await writeFile(registry, damaged);
    await expect(readRegistry(home, "shop")).rejects.toMatchObject({
      code: "store.corrupt",
      // Clients see it, and not where the home folder is.
      message:
        'The registry of the data collection "shop" is damaged (data/shop/registry.json in the home folder); ingest its files again.',
    });
    // Nothing changes where nothing is ingested.
    await writeFile(join(home, "bad.csv"), "");
    await expect(ingest([join(home, "bad.csv")])).rejects.toMatchObject({ code: "input.invalid" });
    expect(await readFile(registry, "utf8")).toBe(damaged);
    const aside = `registry.json.damaged-${number + 1}`;
    expect(await ingest([csv])).toMatchObject({
      replacedRegistry: aside,
      files: [{ table: "sales", rows: 2 }],
    });
    expect(await readFile(join(folder, aside), "utf8")).toBe(damaged);
    const names = await readdir(folder);
    expect(names.filter((name) => name.startsWith(`damaged-${number + 1}.tables-`))).toHaveLength(1);
    expect((await readRegistry(home, "shop"))?.tables.map(({ name }) => name)).toEqual(["sales"]);
  }
  expect(await ingest([csv])).not.toHaveProperty("replacedRegistry");
});
