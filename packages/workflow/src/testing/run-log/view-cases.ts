import assert from "node:assert/strict";

import { EMPTY_RESPONSE } from "@troupe/stream";

import { foldRun, type RunRecord } from "../../engine/fold-run.ts";
import type { RunLog, RunsQuery } from "../../engine/run-log.ts";
import { collect, event, finish, text, using, type RunLogCase } from "./harness.ts";

const ids = async (log: RunLog, query: RunsQuery): Promise<readonly string[]> =>
  (await log.runs(query)).map(({ runId }) => runId);

export const viewCases: readonly RunLogCase[] = [
  {
    name: "a run is seen with its steps, what it asks and how it ended, as its events tell",
    run: (harness) =>
      using(harness, 1, async (log) => {
        assert.equal(await log.view("r"), null);
        await log.begin({ runId: "r", name: "deck", objective: "make it \0 \u{10FFFF}" });
        const record = (await log.view("r")) as RunRecord | null;
        assert.equal(record?.objective, "make it \0 \u{10FFFF}");
        const plan = {
          name: "deck",
          steps: [
            { id: "a", kind: "agent" as const, agent: "x", instruction: "", dependsOn: [] },
            { id: "h", kind: "human" as const, agent: "", instruction: "", dependsOn: ["a"] },
          ],
        };
        const form = { title: "t", description: "", fields: [] };
        const request = { requestId: "h", kind: "form" as const, form };
        log.append("r", "1", event(0, { type: "plan-update", plan }));
        log.append("r", "2", event(1, { type: "step-status", step: "a", state: "failed", reason: "gone" }));
        log.append("r", "3", text(2));
        log.append("r", "4", event(3, { type: "input-required", request }, "h"));
        log.append("r", "5", event(4, { type: "step-status", step: "h", state: "input_required" }));
        const asks = await log.view("r");
        assert.equal(asks?.status, "input-required");
        assert.deepEqual(asks.requests, [{ step: "h", request, attempt: 1 }]);
        assert.deepEqual(
          asks.steps.map(({ id, state, reason }) => [id, state, reason]),
          [
            ["a", "failed", "gone"],
            ["h", "input_required", undefined],
          ],
        );
        log.append("r", "6", event(5, { type: "step-status", step: "h", state: "completed" }));
        log.append("r", "7", finish(6));
        const ended = await log.view("r");
        assert.equal(ended?.status, "completed");
        const { runId, name, objective, createdAt } = ended;
        assert.deepEqual(ended, foldRun({ runId, name, objective, createdAt }, await collect(log)));
        assert.deepEqual(await log.runs(), [ended]);
      }),
  },
  {
    name: "runs are listed newest first, page by page, each from behind the last of the one before",
    run: (harness) =>
      using(harness, 1, async (log) => {
        for (const [at, userId] of ["ann", "bob", "ann", "ann", "bob", "ann"].entries())
          await log.begin({ runId: `r${at}`, name: "n", objective: "", userId });
        assert.deepEqual(await ids(log, {}), ["r5", "r4", "r3", "r2", "r1", "r0"]);
        assert.deepEqual(await ids(log, { limit: 2 }), ["r5", "r4"]);
        const page = (before?: string) =>
          ids(log, { limit: 2, userId: "ann", ...(before === undefined ? {} : { before }) });
        assert.deepEqual(
          [await page(), await page("r3"), await page("r0")],
          [["r5", "r3"], ["r2", "r0"], []],
        );
        // Whether somebody else has such a run is not to be learned.
        assert.deepEqual([await page("r4"), await page("r9")], [[], []]);
        assert.deepEqual(await ids(log, { limit: 2, before: "r4" }), ["r3", "r2"]);
        await log.begin({ runId: "t0", name: "n", objective: "", userId: "ann", threadId: "t" });
        await log.begin({ runId: "t1", name: "n", objective: "", threadId: "t" });
        await log.begin({ runId: "t2", name: "n", objective: "", userId: "ann", threadId: "t" });
        await log.begin({ runId: "t3", name: "n", objective: "", threadId: "t" });
        const turns = (before: string, userId?: string) =>
          ids(log, { threadId: "t", before, ...(userId === undefined ? {} : { userId }) });
        assert.deepEqual(
          [await turns("t2", "ann"), await turns("t3", "ann"), await turns("t3")],
          [["t0"], [], ["t1"]],
        );
      }),
  },
  {
    name: "as many runs are listed as are asked for, all where that is more than any database counts",
    run: (harness) =>
      using(harness, 1, async (log) => {
        for (const runId of ["r0", "r1"]) await log.begin({ runId, name: "n", objective: "" });
        for (const limit of [2, 2 ** 31 - 1, 2 ** 31, 2 ** 63, Number.MAX_SAFE_INTEGER, 1e300])
          assert.deepEqual(await ids(log, { limit }), ["r1", "r0"]);
        for (const limit of [0, -1, 1.5, Number.NaN, Infinity])
          for (const query of [{ limit }, { limit, threadId: "t" }])
            await assert.rejects(log.runs(query), {
              code: "input.invalid",
              message: `"${limit}" is no number of runs. Ask for 1 or more.`,
            });
      }),
  },
  {
    name: "runs are planned until they have the name of a workflow, or an end",
    run: (harness) =>
      using(harness, 1, async (log) => {
        await log.begin({ runId: "r", name: "", objective: "x" });
        await log.begin({ runId: "refused", name: "", objective: "y" });
        assert.deepEqual(
          (await log.runs()).map(({ status }) => status),
          ["planning", "planning"],
        );
        assert.deepEqual(await log.planning(), ["r", "refused"]);
        await log.begin({ runId: "r", name: "deck", objective: "z" });
        const error = { code: "x", message: "no plan" };
        const end = {
          type: "finish",
          outcome: "failed",
          response: EMPTY_RESPONSE,
          answerItems: [],
          error,
        } as const;
        log.append("refused", "finish", event(0, end));
        assert.deepEqual(await log.planning(), []);
        const views = await Promise.all([log.view("r"), log.view("refused")]);
        assert.deepEqual(
          views.map((view) => [view?.name, view?.objective, view?.status, view?.reason]),
          [
            ["deck", "x", "running", undefined],
            ["", "y", "failed", "no plan"],
          ],
        );
      }),
  },
  {
    name: "events may come before their run is begun; it is listed from then on",
    run: (harness) =>
      using(harness, 1, async (log) => {
        log.append("r", "a", text(0));
        assert.equal(await log.view("r"), null);
        assert.deepEqual(await log.runs(), []);
        await log.begin({ runId: "r", name: "n", objective: "o", userId: "ann", threadId: "t" });
        log.append("r", "b", finish(1));
        const view = await log.view("r");
        assert.deepEqual(
          [view?.status, view?.objective, view?.userId, view?.threadId],
          ["completed", "o", "ann", "t"],
        );
        assert.equal(await log.end("r"), 2);
      }),
  },
  {
    name: "runs are found by how their id begins, however old, and tell whose they are",
    run: (harness) =>
      using(harness, 1, async (log) => {
        await log.begin({ runId: "a%_-1", name: "n", objective: "", userId: "ann" });
        await log.begin({ runId: "a%_-2", name: "n", objective: "" });
        await log.begin({ runId: "abc", name: "n", objective: "" });
        const begins = (idPrefix: string) => ids(log, { idPrefix });
        assert.deepEqual(await begins("a%_-"), ["a%_-2", "a%_-1"]);
        assert.deepEqual(await begins("a%_-1"), ["a%_-1"]);
        assert.deepEqual(await begins("A"), []);
        assert.deepEqual(await begins("a\\"), []);
        assert.equal((await log.view("a%_-1"))?.userId, "ann");
        await log.begin({ runId: "b", name: "n", objective: "", userId: "bob" });
        assert.deepEqual(await ids(log, { userId: "ann" }), ["a%_-1"]);
        assert.deepEqual(await ids(log, { userId: "ann", idPrefix: "b" }), []);
        assert.deepEqual(await ids(log, { userId: "" }), []);
        const nobodys = await log.view("abc");
        assert.ok(nobodys !== null && !("userId" in nobodys) && !("threadId" in nobodys));
      }),
  },
  {
    name: "runs are found by their conversation, each owner's own and nobody's apart",
    run: (harness) =>
      using(harness, 1, async (log) => {
        const begin = (runId: string, threadId?: string, userId?: string) =>
          log.begin({
            runId,
            name: "n",
            objective: "",
            ...(threadId === undefined ? {} : { threadId }),
            ...(userId === undefined ? {} : { userId }),
          });
        await begin("1", "t", "ann");
        await begin("2", "t");
        await begin("3", "t", "bob");
        await begin("4", "other", "ann");
        await begin("5", "t", "ann");
        await begin("6", undefined, "ann");
        assert.deepEqual(await ids(log, { threadId: "t", userId: "ann" }), ["5", "1"]);
        assert.deepEqual(await ids(log, { threadId: "t" }), ["2"]);
        assert.deepEqual(await ids(log, { threadId: "t", userId: "ann", limit: 1 }), ["5"]);
        assert.deepEqual(await ids(log, { threadId: "none", userId: "ann" }), []);
        assert.deepEqual(await ids(log, { userId: "ann" }), ["6", "5", "4", "1"]);
        assert.equal((await log.view("5"))?.threadId, "t");
      }),
  },
];
