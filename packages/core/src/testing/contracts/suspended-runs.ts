import { describe, expect, it, onTestFinished } from "vitest";

import type { SuspendedRuns } from "../../ports/suspended-runs.ts";
import { sampleSuspendedRun } from "../suspended-run.ts";

/** What every `SuspendedRuns` keeps. `make` gives an empty one. */
export function suspendedRunsContract(
  name: string,
  make: () => Promise<{ readonly runs: SuspendedRuns; close?(): Promise<void> }>,
): void {
  async function open(): Promise<SuspendedRuns> {
    const made = await make();
    onTestFinished(async () => made.close?.());
    return made.runs;
  }

  describe(`SuspendedRuns contract: ${name}`, () => {
    it("gives back what was saved, as often as it is asked", async () => {
      const runs = await open();
      const state = sampleSuspendedRun();
      await runs.save("run-1", state);
      expect(await runs.load("run-1")).toEqual(state);
      expect(await runs.load("run-1")).toEqual(state);
    });

    it("knows nothing of a run that was never saved, and forgetting it is harmless", async () => {
      const runs = await open();
      expect(await runs.load("run-1")).toBeUndefined();
      await runs.forget("run-1");
      expect(await runs.load("run-1")).toBeUndefined();
    });

    it("keeps one state a run, the last", async () => {
      const runs = await open();
      await runs.save("run-1", sampleSuspendedRun());
      await runs.save("run-1", sampleSuspendedRun({ iteration: 7 }));
      expect(await runs.load("run-1")).toMatchObject({ iteration: 7 });
      await runs.forget("run-1");
      expect(await runs.load("run-1")).toBeUndefined();
    });

    it("says to one of two that forget a run at once that there was something", async () => {
      const runs = await open();
      await runs.save("run-1", sampleSuspendedRun());
      const found = await Promise.all([runs.forget("run-1"), runs.forget("run-1")]);
      expect(found.filter(Boolean)).toHaveLength(1);
      expect(await runs.forget("run-1")).toBe(false);
    });

    it("keeps runs apart", async () => {
      const runs = await open();
      await runs.save("run-1", sampleSuspendedRun({ iteration: 1 }));
      await runs.save("run-2", sampleSuspendedRun({ iteration: 2 }));
      await runs.forget("run-1");
      expect(await runs.load("run-1")).toBeUndefined();
      expect(await runs.load("run-2")).toMatchObject({ iteration: 2 });
    });

    it("is not changed by who changes what was saved or loaded", async () => {
      const runs = await open();
      const results = [{ callId: "call-1", name: "search", text: "found", isError: false }];
      await runs.save("run-1", sampleSuspendedRun({ results }));
      results.pop();
      const loaded = await runs.load("run-1");
      (loaded?.results as unknown[] | undefined)?.pop();
      expect((await runs.load("run-1"))?.results).toHaveLength(1);
    });

    it.each(["__proto__", "../../etc/passwd", "a/b", "a\\b", "nul\0", "x".repeat(500), "", ".", "日本 😀"])(
      "takes %j for a run as for any other",
      async (runId) => {
        const runs = await open();
        expect(await runs.load(runId)).toBeUndefined();
        await runs.save(runId, sampleSuspendedRun({ iteration: 3 }));
        expect(await runs.load(runId)).toMatchObject({ iteration: 3 });
        expect(await runs.load(`${runId}x`)).toBeUndefined();
        await runs.forget(runId);
        expect(await runs.load(runId)).toBeUndefined();
      },
    );

    it("keeps text and arguments to the letter, whatever a model wrote", async () => {
      const runs = await open();
      const args = JSON.parse('{"__proto__":{"a":1},"text":"\\u0000 \\ud83d half \\u2028 \\"q\\""}') as never;
      const state = sampleSuspendedRun({
        request: {
          requestId: "r",
          kind: "approval",
          calls: [{ callId: "c", tool: "write", arguments: args }],
        },
        messages: [{ role: "user", text: "\ud83d half, \0 and\r\n all" }],
      });
      await runs.save("run-1", state);
      const loaded = await runs.load("run-1");
      expect(JSON.stringify(loaded)).toBe(JSON.stringify(state));
    });
  });
}
