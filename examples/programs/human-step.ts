// A workflow from a file with a step that a person does, answered by the program.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { playbookModel } from "@troupe/playbook";
import { createOrchestrator } from "@troupe/orchestrator";
import { parseWorkflow } from "@troupe/workflow";

import { localAgent } from "./support/local-agent.ts";

const file = new URL("../workflows/human-step.yaml", import.meta.url);
const workflow = parseWorkflow(readFileSync(file, "utf8"), { file: "human-step.yaml" });

const orchestrator = await createOrchestrator({
  agents: [
    localAgent("rag-agent", () => "The strategy has three goals."),
    localAgent("ppt-agent", (text) => (text.includes("Board") ? "A deck for the board." : "A deck.")),
  ],
  model: playbookModel(),
});
try {
  const outcome = await orchestrator.executeWorkflow("Make a deck", workflow, undefined, {
    onEvent(event) {
      if (event.type !== "input-required" || event.request.kind !== "form") return;
      process.stdout.write(`${event.request.form.title}\n`);
      const values = { audience: "Board", focus: "Risks" };
      void orchestrator.answer(event.runId, { requestId: event.request.requestId, values });
    },
  });
  assert.equal(outcome.outcome, "completed");
  assert.equal(outcome.response.content, "A deck for the board.");
} finally {
  await orchestrator.close();
}
