import type { Json } from "@troupe/stream";

import { tryWorkflow } from "../workflow-trial.ts";
import { SCENARIOS, scriptOf } from "./scenarios.ts";

// node --conditions=troupe-source record.ts > ../../embedded/corpus/journals-N.json
// A new file for each release that writes its journal otherwise than the one before; those that are there stay.
const RUN = "run-1";
const recorded = [];
for (const scenario of SCENARIOS) {
  const trial = await tryWorkflow(scenario.workflow, scriptOf(scenario));
  const run = trial.journal.run(RUN);
  await trial.clock.advance(2_500);
  for (const [name, value] of scenario.signals)
    await trial.engine.signal(RUN, name, value as Json, { idempotencyKey: name });
  const outcome = await trial.outcome();
  const { entries, signals, timers } = trial.journal.load(RUN);
  recorded.push({
    scenario: scenario.name,
    spec: run?.spec,
    input: run?.input,
    entries,
    signals: [...signals],
    timers: [...timers],
    outcome,
  });
  await trial.engine.close();
}
process.stdout.write(`${JSON.stringify(recorded, null, 1)}\n`);
