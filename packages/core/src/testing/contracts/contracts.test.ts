import { ModelError } from "../../errors/model-error.ts";
import type { Model } from "../../ports/model.ts";
import { memorySuspendedRuns } from "../../suspend/memory-suspended-runs.ts";
import { gate } from "../gate.ts";
import { memoryArtifactStore } from "../memory-artifact-store.ts";
import { scriptedModel, type ScriptedStep } from "../scripted-model.ts";
import { echoTool, fakeToolSource } from "../tools.ts";
import { artifactStoreContract } from "./artifact-store.ts";
import { modelContract, type ModelScenario } from "./model.ts";
import { suspendedRunsContract } from "./suspended-runs.ts";
import { toolSourceContract } from "./tool-source.ts";

artifactStoreContract("memory", () => Promise.resolve({ store: memoryArtifactStore() }));

suspendedRunsContract("memory", () => Promise.resolve({ runs: memorySuspendedRuns() }));

toolSourceContract("fake", () =>
  Promise.resolve({
    source: fakeToolSource("fake", [echoTool()]),
    tool: "echo",
    accepts: { args: { text: "hello" }, text: "hello" },
    rejects: { text: 7 },
  }),
);

modelContract("scripted", {
  make: (scenario) => Promise.resolve({ model: modelFor(scenario) }),
});

function modelFor(scenario: ModelScenario): Model {
  return scriptedModel([stepFor(scenario)]);
}

function stepFor(scenario: ModelScenario): ScriptedStep {
  switch (scenario.kind) {
    case "text":
      return { text: scenario.pieces.join(""), split: scenario.pieces.map((piece) => piece.length) };
    case "calls":
      return {
        text: scenario.text,
        calls: scenario.calls.map(({ name, pieces }) => ({ name, arguments: pieces.join("") })),
        split: 3,
      };
    case "broken":
      return {
        text: scenario.text,
        fail: new ModelError("model.stream-broken", "reset", { retryable: true }),
      };
    case "stalled":
      return { text: scenario.text, gate: gate().opened, gateAt: 1 };
    case "max-tokens":
      return { text: scenario.text, stop: "max-tokens" };
    case "refusal":
      return { stop: "refusal" };
    default:
      return { fail: new ModelError("model.auth", "The key was refused."), failAfter: 0 };
  }
}
