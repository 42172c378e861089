import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog } from "@troupe/core";
import { openEventLog } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { findRun } from "../cli/runs.ts";
import { runsFile } from "../orchestrator/state.ts";
import { settings } from "./settings.ts";
import { start } from "./start.ts";

/** An orchestrator whose home has these runs, oldest first. */
async function withRuns(ids: readonly string[]): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "troupe-api-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const log = openEventLog({ path: runsFile(home) });
  for (const runId of ids) await log.begin({ runId, name: "One", objective: "" });
  log.close();
  const running = await start(settings.parse({ home, port: 0, agents: [] }), { log: silentLog });
  onTestFinished(() => running.close());
  return running.url;
}

it("finds a run by its id, or how it begins, behind any number of newer ones", async () => {
  const url = await withRuns(["old-1", ...Array.from({ length: 101 }, (_, index) => `newer-${index}`)]);
  expect(await findRun(url, "old-1")).toMatchObject({ runId: "old-1" });
  expect(await findRun(url, "old")).toMatchObject({ runId: "old-1" });
  // One that others begin with is still found by its whole id.
  expect(await findRun(url, "newer-1")).toMatchObject({ runId: "newer-1" });
});

it("says what is wrong with an id that names none or several", async () => {
  const url = await withRuns(["a-1", "a-2"]);
  const notFound = (message: string) => ({
    code: "input.not-found",
    message: expect.stringContaining(message),
  });
  await expect(findRun(url, "a-")).rejects.toMatchObject(notFound('Several runs begin with "a-"'));
  await expect(findRun(url, "no/such%run")).rejects.toMatchObject(notFound('There is no run "no/such%run"'));
  await expect(findRun(url, "%")).rejects.toMatchObject(notFound("There is no run"));
  expect((await fetch(`${url}/api/runs/%zz`)).status).toBe(404);
});
