import type { Model } from "@troupe/core";
import { scriptedModel } from "@troupe/core/testing";
import { NO_USAGE } from "@troupe/stream";
import { expect, it } from "vitest";

import type { JournalEntry } from "../../engine/recorded-run.ts";
import type { RunOutcome } from "../../engine/run.ts";
import {
  memoryEngine,
  memoryEventLog,
  memoryJournal,
  scriptedGateway,
  tryWorkflow,
  type ScriptedTurn,
  type WorkflowTrial,
} from "../../testing/index.ts";
import { createDagDriver } from "../create-dag-driver.ts";

const RUN = "run-1";
const steps = ["a", "b"].map((id) => ({ id, agent: id, instruction: `do ${id}` }));
const script = (): ScriptedTurn => ({ ms: 100, result: { usage: { ...NO_USAGE, outputTokens: 1_000 } } });
/** Leaves nothing for a model. */
const spent = { max_total_tokens: 2_000 };
const joined = "## A\n\ndo a\n\n## B\n\ndo b";

async function begun(options: {
  readonly model?: Model;
  readonly limits?: typeof spent;
}): Promise<WorkflowTrial> {
  const { limits, ...driver } = options;
  const workflow = { mode: "parallel" as const, steps, ...(limits && { limits }) };
  const trial = await tryWorkflow(workflow, script, driver);
  await trial.outcome();
  return trial;
}

/** Ends it in another process, by the entries of its journal. */
async function endedBy(
  trial: WorkflowTrial,
  model: Model | undefined,
  entries: readonly JournalEntry[] = trial.journal.entries(RUN),
): Promise<RunOutcome> {
  const { clock } = trial;
  const journal = memoryJournal();
  const run = trial.journal.run(RUN);
  if (run) await journal.addRun(run, 0);
  for (const [seq, { name, value }] of entries.entries())
    await journal.addEntry(RUN, seq, name, JSON.stringify(value));
  const eventLog = memoryEventLog();
  const engine = memoryEngine({ clock, journal, events: eventLog });
  const gateway = scriptedGateway(script, clock);
  await engine.register(createDagDriver({ gateway, eventLog, clock, ...(model && { model }) }));
  const ended = engine.result(RUN);
  await clock.advance(1_000);
  return ended;
}

const none = (trial: WorkflowTrial): readonly JournalEntry[] =>
  trial.journal.entries(RUN).filter(({ name }) => name !== "synthesize");

it("ends the same whether or not the process that ends it has a model", async () => {
  const written = await begun({ model: scriptedModel([{ text: "Both." }]) });
  expect(await endedBy(written, undefined)).toEqual(await written.outcome());
  const short = await begun({ model: scriptedModel([]), limits: spent });
  expect((await short.outcome()).error?.code).toBe("workflow.budget");
  expect(await endedBy(short, undefined)).toEqual(await short.outcome());
  const plain = await begun({ limits: spent });
  expect(await plain.outcome()).toMatchObject({ outcome: "completed", response: { content: joined } });
  expect(await endedBy(plain, scriptedModel([]))).toEqual(await plain.outcome());
});

it("asks no model that came since, and misses the one that went", async () => {
  const plain = await begun({});
  const later = scriptedModel([]);
  expect(await endedBy(plain, later, none(plain))).toMatchObject({ outcome: "completed" });
  expect(later.requests).toEqual([]);
  const written = await begun({ model: scriptedModel([{ text: "Both." }]) });
  expect(await endedBy(written, undefined, none(written))).toMatchObject({
    outcome: "partial",
    response: { content: joined },
  });
});

it("goes by the model there is where the journal does not say, as earlier ones", async () => {
  const trial = await begun({});
  const earlier = none(trial).map((entry) =>
    entry.name === "begin"
      ? (JSON.parse(JSON.stringify(entry).replace('"model":false', "")) as JournalEntry)
      : entry,
  );
  const model = scriptedModel([{ text: "Both." }]);
  expect((await endedBy(trial, model, earlier)).response.content).toBe("Both.");
});
