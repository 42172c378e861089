import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ingestCsv } from "@troupe/analytics";
import { silentLog, systemClock } from "@troupe/core";
import { OPEN_ACCESS } from "@troupe/service/mcp";
import { afterAll, beforeAll, expect, it } from "vitest";

import { createSources, type Sources } from "./sources.ts";

const signal = new AbortController().signal;
const names = Array.from({ length: 8 }, (_, i) => `shop-${i}`);
let home = "";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "troupe-sources-"));
  await writeFile(join(home, "sales.csv"), "region,amount\nNorth,1\nSouth,2\n");
  for (const collection of names)
    await ingestCsv({ home, collection, paths: [join(home, "sales.csv")], log: silentLog });
}, 60_000);

afterAll(() => rm(home, { recursive: true, force: true }));

const open = (): Sources => createSources({ home, clock: systemClock, access: OPEN_ACCESS, log: silentLog });
const count = (sources: Sources, collection: string): Promise<unknown> =>
  sources.use(
    {},
    collection,
    async (source) => (await source.query("SELECT count(*) AS n FROM sales", { signal })).rows,
  );

it("closes while calls are in flight: each ends with its rows or a reason, and no process is left", async () => {
  const sources = open();
  await count(sources, "shop-0");
  const asked = ["shop-0", "shop-0", "shop-1", "shop-2"].map((name) => count(sources, name));
  const settled = Promise.allSettled(asked);
  await sources.close();
  const outcomes = (await settled).map((one) =>
    one.status === "fulfilled" ? JSON.stringify(one.value) : String(one.reason),
  );
  for (const outcome of outcomes) expect(outcome).toMatch(/^\[\[2\]\]$|QueryError: .* clos(ed|ing)/);
  await expect(count(sources, "shop-0")).rejects.toMatchObject({
    message: expect.stringContaining("closing"),
  });
});

it("waits for work that does not query when it closes", async () => {
  const sources = open();
  const steps: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const work = sources.use({}, "shop-0", async () => {
    await held;
    steps.push("work");
  });
  const closing = sources.close().then(() => steps.push("closed"));
  release();
  await Promise.all([work, closing]);
  expect(steps).toEqual(["work", "closed"]);
});

it("makes room for another collection, and never takes one away that is in use", async () => {
  const sources = open();
  const rows = await sources.use({}, "shop-0", async (source) => {
    for (const name of names.slice(1)) expect(await count(sources, name)).toEqual([[2]]);
    return (await source.query("SELECT sum(amount) AS total FROM sales", { signal })).rows;
  });
  expect(rows).toEqual([[3]]);
  await sources.close();
}, 60_000);

it("opens again after a collection was not there", async () => {
  const sources = open();
  await expect(count(sources, "none")).rejects.toMatchObject({ code: "input.not-found" });
  await writeFile(join(home, "late.csv"), "a,b\n1,2\n");
  await ingestCsv({ home, collection: "none", paths: [join(home, "late.csv")], log: silentLog });
  expect(await sources.use({}, "none", async (source) => (await source.schema()).tables.length)).toBe(1);
  await sources.close();
});
