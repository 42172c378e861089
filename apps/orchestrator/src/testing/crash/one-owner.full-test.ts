import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { mortalProcess } from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

it("has one owner however many start at the same moment, and a new one as soon as that was killed", async () => {
  const home = await mkdtemp(join(tmpdir(), "troupe-owner-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const owners: string[] = [];
  for (let round = 0; round < 3; round++) {
    const both = [0, 1].map(() =>
      mortalProcess(new URL("orchestrator-process.ts", import.meta.url), [home, "0"]),
    );
    const [first, second] = await Promise.allSettled(both.map((one) => one.ready()));
    const [winner, loser] = first?.status === "fulfilled" ? [first, second] : [second, first];
    if (winner?.status !== "fulfilled" || loser?.status !== "rejected") throw new Error("not one owner");
    expect(loser.reason).toMatchObject({ message: expect.stringMatching(/is in use by/) as string });
    owners.push(winner.value);
    await Promise.all(both.map((one) => one.kill()));
  }
  expect(new Set(owners).size).toBe(3);
});
