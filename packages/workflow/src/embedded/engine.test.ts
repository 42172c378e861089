import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { memoryEngine, memoryEventLog, memoryJournal, workflowEngineContract } from "../testing/index.ts";
import { openEmbeddedEngine } from "./engine.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-engine-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("the embedded engine on a sqlite file", () => {
  it.each(workflowEngineContract())("$name", async ({ run }) => {
    const open = async () => openEmbeddedEngine({ path: join(folder, "home", "journal.sqlite") });
    await expect(run({ open })).resolves.toBeUndefined();
  });
});

describe("the embedded engine in memory", () => {
  it.each(workflowEngineContract())("$name", async ({ run }) => {
    const journal = memoryJournal();
    const events = memoryEventLog();
    await expect(run({ open: async () => memoryEngine({ journal, events }) })).resolves.toBeUndefined();
  });
});
