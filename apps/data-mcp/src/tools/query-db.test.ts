import type { ToolProgress } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { reportWhileRunning } from "./query-db.ts";

it("reports every five seconds until the work has ended, however it ends", async () => {
  const clock = virtualClock();
  const reports: ToolProgress[] = [];
  const work = Promise.withResolvers<number>();
  const progress = (report: ToolProgress): void => void reports.push(report);
  const waiting = reportWhileRunning(work.promise, "Querying", { clock, progress });
  await clock.advance(11_000);
  expect(reports).toEqual([
    { message: "Querying (5 s)", done: 5 },
    { message: "Querying (10 s)", done: 10 },
  ]);
  work.resolve(7);
  expect(await waiting).toBe(7);
  expect(clock.pending).toBe(0);
  const failing = reportWhileRunning(Promise.reject(new Error("no")), "Querying", { clock, progress });
  await expect(failing).rejects.toThrow("no");
  expect(clock.pending).toBe(0);
});
