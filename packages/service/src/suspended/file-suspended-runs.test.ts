import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, type Log } from "@troupe/core";
import { sampleSuspendedRun, suspendedRunsContract } from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

import { fileSuspendedRuns } from "./file-suspended-runs.ts";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "troupe-suspended-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "agent");
}

suspendedRunsContract("files", async () => ({ runs: fileSuspendedRuns({ dir: folder(), log: silentLog }) }));

it("keeps a run for the next process, for nobody else to read", async () => {
  const dir = folder();
  const state = sampleSuspendedRun();
  await fileSuspendedRuns({ dir, log: silentLog }).save("run-1", state);
  const [name = ""] = readdirSync(dir);
  expect([dir, join(dir, name)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  writeFileSync(join(dir, "half.json.part"), "{");
  expect(await fileSuspendedRuns({ dir, log: silentLog }).load("run-1")).toEqual(state);
  expect(readdirSync(dir)).toEqual([name]);
});

it("gives up the oldest when there are too many", async () => {
  const dir = folder();
  const runs = fileSuspendedRuns({ dir, log: silentLog, max: 2 });
  await runs.save("old", sampleSuspendedRun());
  for (const name of readdirSync(dir)) utimesSync(join(dir, name), 1, 1);
  for (const runId of ["a", "b"]) await runs.save(runId, sampleSuspendedRun());
  expect(await runs.load("old")).toBeUndefined();
  expect(await runs.load("a")).toBeDefined();
  expect(await runs.load("b")).toBeDefined();
});

it("keeps any number of runs at once while others are given up and taken up", async () => {
  const dir = folder();
  const runs = fileSuspendedRuns({ dir, log: silentLog, max: 3 });
  for (let round = 0; round < 5; round++) {
    const saved = Array.from({ length: 30 }, (_, n) => runs.save(`${round}-${n}`, sampleSuspendedRun()));
    const taken = Array.from({ length: 30 }, (_, n) => runs.forget(`${round}-${n}`));
    await Promise.all([...saved, ...taken]);
  }
  await runs.save("last", sampleSuspendedRun());
  expect(readdirSync(dir).length).toBeLessThanOrEqual(3);
});

it.each([
  ["half a file", '{"v":1,"runId":"run-1","sta'],
  ["no state", '{"v":1,"runId":"run-1"}'],
  ["another run's state", JSON.stringify({ v: 1, runId: "run-2", state: sampleSuspendedRun() })],
  ["a later version", JSON.stringify({ v: 2, runId: "run-1", state: sampleSuspendedRun() })],
  ["nothing", "null"],
])("logs %s and takes it for gone", async (_what, text) => {
  const dir = folder();
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (message) => errors.push(message) };
  const runs = fileSuspendedRuns({ dir, log });
  await runs.save("run-1", sampleSuspendedRun());
  const [name = ""] = readdirSync(dir);
  writeFileSync(join(dir, name), text);
  expect(await runs.load("run-1")).toBeUndefined();
  expect(errors).toHaveLength(1);
});

it("says which folder cannot be used", () => {
  const file = `${folder()}-file`;
  writeFileSync(file, "");
  onTestFinished(() => rmSync(file, { force: true }));
  expect(() => fileSuspendedRuns({ dir: file, log: silentLog })).toThrow(
    expect.objectContaining({ code: "store.io", message: expect.stringContaining(file) }),
  );
});
