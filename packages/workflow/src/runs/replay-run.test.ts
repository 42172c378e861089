import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { AgentEvent } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { brokenRun } from "../engine/broken-run.ts";
import { foldRun } from "../engine/fold-run.ts";
import type { LoggedEvent } from "../engine/run-log.ts";
import type { RunInput } from "../engine/run.ts";
import { RUN, simulateRun, type Simulated } from "../testing/simulation/simulate-run.ts";
import { tryWorkflow } from "../testing/workflow-trial.ts";
import { eventsSoFar } from "../engine/events-so-far.ts";
import { exportRun } from "./export-run.ts";
import { replayRun } from "./replay-run.ts";
import { parseRunExport, type RunExport } from "./run-export.ts";

const asIs = (text: string): string => text;

/** The file of a run that was simulated, as it is read back elsewhere. */
function fileOf({ journal, logged, outcome, begun: spec }: Simulated): RunExport {
  const { entries, signals } = journal.load(RUN);
  const view = foldRun({ runId: RUN, name: spec.name, objective: "o", createdAt: 0 }, logged);
  const input = journal.run(RUN)?.input ?? null;
  const recorded = { spec, input, outcome: outcome ?? null, journal: entries, signals };
  return parseRunExport(JSON.stringify(exportRun({ view, recorded, events: logged }, asIs)));
}

async function fileOfTrial(input: Partial<RunInput> = {}, scrub = asIs) {
  const ask = {
    id: "who",
    kind: "human" as const,
    form: { title: "Token", fields: [{ field_name: "token" }] },
  };
  const steps = [ask, { id: "make", agent: "a", instruction: "Make.", depends_on: ["who"] }];
  const trial = await tryWorkflow({ mode: "parallel", final: "synthesize", steps }, () => ({}), { input });
  await trial.engine.signal(
    "run-1",
    "human:who",
    { requestId: "who", values: { token: "sk-123456789" } },
    { idempotencyKey: "1" },
  );
  await trial.outcome();
  const view = await trial.engine.get("run-1");
  const recorded = await trial.engine.recorded("run-1");
  if (view === null) throw new Error("no run");
  return exportRun({ view, recorded, events: await eventsSoFar(trial.engine.events, "run-1") }, scrub);
}

it("makes the same decisions, events and outcome of any run, wherever it was cut off and taken up", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const run = await simulateRun(`replay-${seed}`);
    const report = await replayRun(fileOf(run));
    const { length } = run.journal.entries(RUN);
    expect([seed, report]).toMatchObject([
      seed,
      { result: "same", entries: length, recorded: length, differences: [] },
    ]);
    expect(report.events).toBeGreaterThan(1);
  }
});

it("is the same as far as a run had come that is open, and says what that waits for", async () => {
  const run = await simulateRun("52", { deaths: [] });
  const whole = fileOf(run);
  const journal = whole.journal?.slice(0, 3) ?? [];
  const report = await replayRun({ ...whole, journal, events: [], outcome: null });
  expect(report).toMatchObject({ result: "open", entries: 3, differences: [] });
  expect(report.waitsFor).toContain(whole.journal?.[3]?.name);
});

describe("what was changed", () => {
  const changed = async (change: (file: RunExport) => RunExport) => {
    const { result, differences } = await replayRun(change(await fileOfTrial()));
    expect(result).toBe("differs");
    for (const { code } of differences) expect(code).toBe("workflow.journal-mismatch");
    return differences.map(({ where, name, message }) => [where, name, message]);
  };
  const eventAt = (
    file: RunExport,
    key: string,
    change: (logged: LoggedEvent) => readonly LoggedEvent[],
  ) => ({
    ...file,
    events: file.events.flatMap((logged) => (logged.key === key ? change(logged) : [logged])),
  });

  it("is told of a decision by its name in the journal, and of what follows from it nothing", async () => {
    expect(
      await changed((file) => ({
        ...file,
        journal: file.journal?.map((entry, at) => (at === 2 ? { ...entry, name: "old-name" } : entry)) ?? [],
      })),
    ).toEqual([
      [
        "decision",
        "old-name",
        expect.stringMatching(/entry 2 of the journal is "old-name", but the driver waits for "/),
      ],
    ]);
    expect(await changed((file) => ({ ...file, journal: file.journal?.slice(0, -1) ?? [] }))).toEqual([
      ["decision", "end", expect.stringContaining('the run has ended, but the driver waits for "')],
    ]);
    const extra = { name: "more", value: { ok: true as const, value: null } };
    expect(await changed((file) => ({ ...file, journal: [...(file.journal ?? []), extra] }))).toEqual([
      ["decision", "more", expect.stringMatching(/the driver ends before entry \d+, "more"/)],
    ]);
  });

  it("is told of an event by its key, also of one that is missing on either side", async () => {
    const renamed = await changed((file) =>
      eventAt(file, "plan", (logged) => [
        { ...logged, event: { ...logged.event, agent: "another", seq: 7 } },
      ]),
    );
    expect(renamed).toContainEqual([
      "event",
      "plan",
      'the driver tells "plan" (plan-update) with another seq',
    ]);
    expect(await changed((file) => eventAt(file, "status/make/1", () => []))).toEqual([
      ["event", "status/make/1", 'the driver tells "status/make/1" (step-status), which was not told'],
    ]);
    expect(
      await changed((file) => eventAt(file, "plan", (logged) => [logged, { ...logged, key: "plan-2" }])),
    ).toEqual([["event", "plan-2", 'the driver does not tell "plan-2" (plan-update)']]);
  });

  it("is told of the outcome by its parts", async () => {
    const wrong = (file: RunExport): RunExport => {
      if (file.outcome === null) throw new Error("no outcome");
      return { ...file, outcome: { ...file.outcome, outcome: "partial", artifacts: [] } };
    };
    expect(await changed(wrong)).toEqual([["outcome", "outcome", "the run ends with another outcome"]]);
    const without = (file: RunExport): RunExport => {
      if (file.outcome === null) throw new Error("no outcome");
      const { citations: _, ...outcome } = file.outcome;
      return { ...file, outcome: outcome as never };
    };
    expect(await changed(without)).toEqual([["outcome", "citations", "the run ends with another citations"]]);
  });
});

it("is the same where a secret was taken out that stands in several places", async () => {
  const scrub = (text: string): string => text.replaceAll(/sk-\d+|token: \S+/gi, "***");
  const file = await fileOfTrial({}, scrub);
  expect(JSON.stringify(file)).not.toContain("sk-");
  expect(await replayRun(file, scrub)).toMatchObject({ result: "same" });
});

it("holds neither whose the run is nor what they may do, nor in what it stands", async () => {
  const input = {
    userId: "ann",
    scopes: ["agent:secret"],
    trace: "00-trace",
    threadId: "conversation",
    metadata: { ticket: "t-1" },
    collectionId: "docs",
  };
  const file = await fileOfTrial(input);
  expect(file.input).toEqual({ objective: "the objective", collectionId: "docs" });
  for (const secret of ["ann", "agent:secret", "00-trace", "conversation", "t-1"])
    expect(JSON.stringify(file)).not.toContain(`"${secret}"`);
});

it("refuses to replay what has no journal", async () => {
  const { journal: _, ...file } = await fileOfTrial();
  await expect(replayRun(file)).rejects.toThrow("does not tell its journal");
});

it("ends a run whose driver breaks as the engine does", async () => {
  const file = await fileOfTrial();
  const { outcome, event } = brokenRun("run-1");
  const events = [{ position: 0, key: "finish", at: 0, event }];
  const input = { ...file.input, objective: 1 as never };
  expect(await replayRun({ ...file, input, journal: [], events, outcome })).toMatchObject({ result: "same" });
});

/** The file of a run whose only step cites the source with that id. */
async function cited(id: string): Promise<string> {
  const place = { document: "d", source: "s", collection: "c", chunkId: "x", quote: "q", start: 0, end: 1 };
  const trial = await tryWorkflow({ steps: [{ id: "a", agent: "a", instruction: "Find." }] }, () => ({
    result: { answer: `Found [${id}].`, citations: [{ id, ...place }] },
  }));
  await trial.outcome();
  const view = await trial.engine.get("run-1");
  const recorded = await trial.engine.recorded("run-1");
  if (view === null) throw new Error("no run");
  const events = await eventsSoFar(trial.engine.events, "run-1");
  return JSON.stringify(exportRun({ view, recorded, events }, asIs));
}

it("is the same where an earlier version renumbered the sources of the answer when the run ended", async () => {
  const file = parseRunExport(await cited("7"));
  const ended = parseRunExport(await cited("1"));
  const { response, citations } = ended.outcome!;
  const events = file.events.map((logged) =>
    logged.key === "finish" ? { ...logged, event: { ...logged.event, response } as AgentEvent } : logged,
  );
  const outcome = { ...file.outcome!, response, citations };
  expect(outcome).not.toEqual(file.outcome);
  expect(await replayRun({ ...file, events, outcome })).toMatchObject({ result: "same" });
});

describe("who found what", () => {
  const FINDER = /,"foundBy":\{[^}]*\}/g;

  it("is the same in a replay, and no difference where a run did not tell it", async () => {
    const file = await cited("1");
    expect(file.match(FINDER)?.length).toBeGreaterThan(1);
    expect(await replayRun(parseRunExport(file))).toMatchObject({ result: "same" });
    expect(await replayRun(parseRunExport(file.replaceAll(FINDER, "")))).toMatchObject({ result: "same" });
    const other = file.replaceAll('"foundBy":{"step":"a"', '"foundBy":{"step":"b"');
    expect(other).not.toBe(file);
    expect(await replayRun(parseRunExport(other))).toMatchObject({ result: "differs" });
  });
});

it("reads and replays what the first version wrote", async () => {
  const text = readFileSync(join(import.meta.dirname, "corpus", "run-v1.json"), "utf8");
  expect(await replayRun(parseRunExport(text))).toMatchObject({ result: "same" });
});
