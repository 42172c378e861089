import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { answering } from "@troupe/a2a/testing";
import type { RunView } from "@troupe/workflow";
import { afterEach, expect, it } from "vitest";

import { smallOrchestrator } from "../../testing/small-orchestrator.ts";
import { cleanUp } from "../../testing/troupe.ts";

afterEach(cleanUp);

const STUCK = "The run is interrupted, not over: ";

/** A run that cannot be written down any more since its only step began. */
async function onFullDisk() {
  const asked: string[] = [];
  const small = await smallOrchestrator({
    worker: ({ text }) => {
      asked.push(text);
      return answering(["Done."]);
    },
  });
  const disk = (sql: string): void => {
    const db = new DatabaseSync(join(small.home, "runs.db"));
    db.exec(sql);
    db.close();
  };
  disk("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  const steps = [{ id: "work", agent: "worker", instruction: "Work." }];
  const ran = await small.troupe(["run", "--workflow", small.workflow(steps), "--quiet"]);
  const [{ runId } = { runId: "" }] = JSON.parse(
    (await small.troupe(["runs", "--json"])).stdout,
  ) as RunView[];
  return { ...small, asked, ran, runId, free: () => disk("DROP TRIGGER full") };
}

it("goes on at once with a run whose disk was full, while its servers stay up", async () => {
  const { troupe, asked, ran, runId, free } = await onFullDisk();
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(STUCK)]);
  expect(ran.stderr).toContain(`Go on with it: troupe resume ${runId}\n`);
  const stuck = await troupe(["runs", "--status", "interrupted"]);
  expect(stuck.stdout).toContain(`${runId}  `);
  expect(stuck.stdout).toContain(STUCK);
  // Nobody waits for its next event for ever.
  const watched = await troupe(["watch", runId]);
  expect([watched.code, watched.stderr]).toEqual([1, expect.stringContaining(`troupe: ${STUCK}`)]);
  // How far it came is told before that.
  expect(watched.stderr).toMatch(/^Plan: Small\n[\s\S]*troupe: /);
  const early = await troupe(["resume", runId]);
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining(STUCK)]);
  free();
  const resumed = await troupe(["resume", runId]);
  expect(resumed).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(asked).toHaveLength(1);
  expect((await troupe(["resume", runId])).stderr).toContain(`run ${runId} ended completed.`);
});

it("goes on with a run that was cut off with its servers, and tells its events once", async () => {
  const { troupe, stop, restart, runId, free } = await onFullDisk();
  await stop();
  free();
  const waiting = await troupe(["watch", runId]);
  expect(waiting.code).toBe(5);
  await restart();
  const watched = await troupe(["watch", runId, "--json"]);
  expect(watched.code).toBe(0);
  const positions = watched.stdout
    .trimEnd()
    .split("\n")
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { readonly position: number }).position);
  expect(positions).toEqual(positions.map((_, at) => at));
});
