import { readFileSync } from "node:fs";
import { join } from "node:path";

import { connectAgent } from "@troupe/a2a/client";
import { answering, collect } from "@troupe/a2a/testing";
import { gate } from "@troupe/core/testing";
import type { RunView } from "@troupe/workflow";
import { afterEach, expect, it } from "vitest";

import { smallOrchestrator, type SmallOrchestrator } from "../testing/small-orchestrator.ts";
import { cleanUp } from "../testing/troupe.ts";

afterEach(cleanUp);

const ask = (id: string, depends_on: readonly string[] = []) => ({
  id,
  kind: "human",
  form: {
    title: "Who?",
    fields: [
      { field_name: "audience" },
      { field_name: "pages", field_type: "number", required: false, default_value: 5 },
    ],
  },
  depends_on,
});

async function latest({ troupe }: SmallOrchestrator): Promise<RunView> {
  const [view] = JSON.parse((await troupe(["runs", "--json"])).stdout) as readonly RunView[];
  if (view === undefined) throw new Error("there is no run");
  return view;
}

/** With a worker that says when it is asked, and answers once it is let. */
async function withHeldWorker() {
  const [reached, held] = [gate(), gate()];
  const small = await smallOrchestrator({
    async *worker() {
      reached.open();
      await held.opened;
      yield* answering(["Done."]);
    },
  });
  return { small, reached, held };
}

it("ends with 2 where the answer that was sent is not taken, and the run waits on", async () => {
  const small = await smallOrchestrator({ worker: () => answering(["Done."]) });
  expect(await small.troupe(["run", "Do it.", "--approve", "--quiet"])).toMatchObject({ code: 4 });
  const { runId } = await latest(small);
  const other = small.workflow([{ agent: "nobody", instruction: "Go." }]);
  const refused = await small.troupe(["answer", runId, "--workflow", other, "--json"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('there is no agent "nobody"');
  expect(refused.stderr).toContain(`troupe answer ${runId} --approve`);
  expect(JSON.parse(refused.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    outcome: "input-required",
    error: { code: "input.invalid" },
  });
  expect(await small.troupe(["answer", runId, "--approve", "--quiet"])).toMatchObject({ code: 0 });
});

it("takes one of several answers at once, and ends the others with 2 and what became of them", async () => {
  const { small, held } = await withHeldWorker();
  const file = small.workflow([ask("who"), { agent: "worker", instruction: "Go.", depends_on: ["who"] }]);
  expect(await small.troupe(["run", "--workflow", file, "--quiet"])).toMatchObject({ code: 4 });
  const { runId } = await latest(small);
  let left = 6;
  const ended = await Promise.all(
    ["a", "b", "c", "d", "e", "f"].map(async (who) => {
      const end = await small.troupe(["answer", runId, "--input", `audience=${who}`, "--quiet"]);
      // The one that was taken follows its run.
      if (--left === 1) held.open();
      return end;
    }),
  );
  expect(ended.filter(({ code }) => code === 0)).toHaveLength(1);
  for (const { code, stderr } of ended.filter((end) => end.code !== 0))
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(
          `^troupe: (Somebody else (has answered|is answering) run ${runId}( at this moment)?, so|"who" has been answered already \\(\\S+Z, cli\\);) this answer was not taken\\. To follow the run: troupe watch ${runId}\n$`,
        ),
      ),
    ]);
});

/** The audience as an answer, and nothing of the pages unless they are given. */
const about = (audience: string, more: object = {}) => ({ requestId: "who", values: { audience, ...more } });

/** A run of ann's that asks, with a step behind that waits for the held worker. */
async function askingRun() {
  const { small, reached, held } = await withHeldWorker();
  const options = { signal: AbortSignal.timeout(20_000) };
  const remote = await connectAgent(small.url, options);
  const tell = async (request: Omit<Parameters<typeof remote.send>[0], "userId">) => {
    const { taskId } = await remote.send({ ...request, userId: "ann" }, options);
    return { taskId, told: collect(remote.join(taskId, options)) };
  };
  const steps = [ask("who"), { agent: "worker", instruction: "Go.", depends_on: ["who"] }];
  const workflow = { version: 1, name: "Small", mode: "parallel", steps };
  const { taskId: runId, told } = await tell({ text: "", metadata: { workflow } });
  await told;
  /** Takes an answer from elsewhere, so that the task of the run hears nothing of it, and the run goes on. */
  const goOn = async () => {
    const first = await tell({ reply: about("board"), metadata: { run_id: runId, through: "slack" } });
    await reached.opened;
    return first;
  };
  return { small, runId, held, tell, goOn };
}

/** An answer of `words`, while which was typed another one was taken, with which the run goes on or is over. */
async function overtaken(words: string, how: "goes on" | "is over") {
  const { small, runId, held, goOn } = await askingRun();
  const lines: string[] = [];
  const end = await small.troupe(["answer", runId, "--json"], {
    async ask(question) {
      if (question.startsWith("pages")) return "";
      const first = await goOn();
      if (how === "goes on") return words;
      held.open();
      await first.told;
      return words;
    },
    out(line) {
      lines.push(line);
      held.open();
    },
  });
  return { runId, end, result: JSON.parse(lines.at(-1) ?? "") as object };
}

it.each(["goes on", "is over"] as const)(
  "ends an answer with 2 where another one was taken while the person thought, and says whose, where the run %s with that",
  async (how) => {
    const { runId, end, result } = await overtaken("staff", how);
    const taken = String.raw`"who" has been answered already by ann \(\S+Z, slack\); this answer was not taken\.`;
    expect([end.code, end.stderr]).toEqual([2, expect.stringMatching(new RegExp(`troupe: ${taken}`))]);
    const all = new RegExp(`^${taken} What becomes of the run: troupe show ${runId}$`);
    const error = { code: "input.conflict", message: expect.stringMatching(all) as string };
    expect(result).toMatchObject({ outcome: "failed", runId, error });
  },
);

it("takes the same answer again for the first, also where the run has gone on with that", async () => {
  const { end, result } = await overtaken("board", "is over");
  expect(end.code).toBe(0);
  expect(result).toMatchObject({ outcome: "completed", answer: "Done." });
});

it.each([
  ["the field is left out again", {}, true],
  ["the field is null", { pages: null }, true],
  ["the field has its default", { pages: 5 }, true],
  ["the field has its default as text", { pages: "5" }, true],
  ["the field says otherwise", { pages: 6 }, false],
])("takes an answer with a field left out for the same where %s: %j, %s", async (_what, more, same) => {
  const { runId, held, tell, goOn } = await askingRun();
  const first = await goOn();
  held.open();
  await first.told;
  const again = await tell({ reply: about("board", more), taskId: runId });
  const end = (await again.told).findLast((event) => event.type === "finish");
  expect([end?.outcome, end?.error?.code]).toEqual(["completed", same ? undefined : "input.conflict"]);
});

it("ends the second of two answers with 2 that come at once for a step whose turn is still to come", async () => {
  const { small, reached, held } = await withHeldWorker();
  const file = small.workflow([{ id: "work", agent: "worker", instruction: "Go." }, ask("who", ["work"])]);
  const ran = small.troupe(["run", "--workflow", file, "--quiet"]);
  await reached.opened;
  const { runId } = await latest(small);
  const answer = async (who: string) => {
    const end = await small.troupe(["answer", runId, "who", "--input", `audience=${who}`, "--quiet"]);
    // The one that was taken follows its run.
    held.open();
    return end;
  };
  const ended = await Promise.all([answer("a"), answer("b"), ran]);
  const refused = ended.filter(({ code }) => code !== 0);
  expect(refused.map(({ code, stderr }) => [code, stderr])).toEqual([
    [
      2,
      expect.stringMatching(
        /^troupe: "who" has been answered already \(\S+Z, cli\); this answer was not taken\. What becomes/,
      ),
    ],
  ]);
});

it("says that an answer is kept where nobody asks for it yet", async () => {
  const small = await smallOrchestrator({});
  const file = small.workflow([ask("first"), ask("second", ["first"])]);
  expect(await small.troupe(["run", "--workflow", file, "--quiet"])).toMatchObject({ code: 4 });
  const { runId } = await latest(small);
  const answer = (step: string) => small.troupe(["answer", runId, step, "--input", "audience=all"]);
  const early = await answer("second");
  expect(early.code).toBe(4);
  expect(early.stderr).toContain('Step "second" does not ask yet: the answer is kept until it does.\n');
  const last = await answer("first");
  expect(last.code).toBe(0);
  expect(last.stderr).not.toContain("does not ask yet");
});

it("names the command that goes on from a run that was stopped", async () => {
  const asked = gate();
  const stop = new AbortController();
  const small = await smallOrchestrator({
    async *worker(_request, { signal }) {
      asked.open();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      yield* answering(["Too late."]);
    },
  });
  void asked.opened.then(() => stop.abort());
  const file = small.workflow([{ agent: "worker", instruction: "Work." }]);
  const stopped = await small.troupe(["run", "--workflow", file, "--quiet"], { interrupted: stop.signal });
  const { runId } = await latest(small);
  expect(stopped.code).toBe(130);
  expect(stopped.stderr).toContain(`Do it again: troupe retry ${runId}\n`);
});

it("says that there is something to go on from where the run that was stopped has found something", async () => {
  const asked = gate();
  const stop = new AbortController();
  const small = await smallOrchestrator({
    finder: () => answering(["Found."]),
    async *worker(_request, { signal }) {
      asked.open();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      yield* answering(["Too late."]);
    },
  });
  void asked.opened.then(() => stop.abort());
  const work = { agent: "worker", instruction: "Work.", depends_on: ["find"] };
  const file = small.workflow([{ id: "find", agent: "finder", instruction: "Find." }, work]);
  const stopped = await small.troupe(["run", "--workflow", file, "--quiet"], { interrupted: stop.signal });
  const { runId } = await latest(small);
  expect(stopped.stderr).toContain(`Go on from what it found: troupe retry ${runId}\n`);
});

it("names no way on from a plan that was rejected", async () => {
  const small = await smallOrchestrator({ worker: () => answering(["Done."]) });
  await small.troupe(["run", "Do it.", "--approve", "--quiet"]);
  const { runId } = await latest(small);
  const rejected = await small.troupe(["answer", runId, "--reject", "Not like this.", "--quiet"]);
  expect(rejected.stderr).toContain("The run ended canceled.\nthe plan was rejected: Not like this.\n");
  expect(rejected.stderr).not.toContain("troupe retry");
});

it("lists a run by the name of the workflow that ran in place of the one it asked about", async () => {
  const small = await smallOrchestrator({ worker: () => answering(["Done."]) });
  await small.troupe(["run", "Do it.", "--approve", "--quiet"]);
  const { runId, name } = await latest(small);
  expect(name).toBe("Do it.");
  const file = small.workflow([{ agent: "worker", instruction: "Do it well." }], { name: "Edited" });
  expect(await small.troupe(["answer", runId, "--workflow", file, "--quiet"])).toMatchObject({ code: 0 });
  expect(await latest(small)).toMatchObject({ runId, name: "Edited" });
  expect((await small.troupe(["show", runId])).stdout).toContain("  workflow: Edited\n");
});

it("says of the run of a workflow that was refused that it had no task, and why it was refused", async () => {
  const small = await smallOrchestrator({ worker: () => answering(["Done."]) });
  await small.troupe(["run", "Do it.", "--quiet"]);
  const file = small.workflow([{ agent: "worker", instruction: "Go.", earlier: ["turn1.nothing"] }]);
  const refused = await small.troupe(["run", "--continue", "--workflow", file, "--quiet"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('"turn1.nothing"');
  expect((await small.troupe(["runs"])).stdout).toMatch(
    /^\S+ .* failed +\(no task\)\n {4}Step "worker" builds on "turn1\.nothing"/,
  );
});

it("says how a plan that was saved is run, with what it was made for", async () => {
  const small = await smallOrchestrator({ worker: () => answering(["Done."]) });
  const file = join(small.home, "..", "my plan.yaml");
  const args = ["plan", "What's new?", "--collection", "news", "--save", file];
  const saved = await small.troupe(args);
  expect(saved.code).toBe(0);
  expect(saved.stderr).toContain(
    `Run it with\n  troupe run 'What'\\''s new?' --workflow '${file}' --collection news\n`,
  );
  expect(readFileSync(file, "utf8")).toContain("agent: worker");
  await small.troupe(["run", "Do it.", "--approve", "--quiet"]);
  const { runId } = await latest(small);
  const other = join(small.home, "..", "other.yaml");
  const waiting = await small.troupe(["plan", "--run", runId, "--save", other]);
  expect(waiting.stderr).toContain(`Run it with\n  troupe answer ${runId} --workflow ${other}\n`);
});
