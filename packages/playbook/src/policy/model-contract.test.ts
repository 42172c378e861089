import { modelContract } from "@troupe/core/testing";
import type { JsonObject } from "@troupe/stream";

import { playbookModel } from "./playbook-model.ts";

modelContract("playbook", {
  never: ["broken", "stalled", "max-tokens", "refusal", "auth"],
  make: async (scenario) => ({
    model: playbookModel(() => {
      if (scenario.kind === "text") return { say: scenario.pieces.join("") };
      if (scenario.kind !== "calls") throw new Error(`a playbook never comes to "${scenario.kind}"`);
      return {
        say: scenario.text,
        calls: scenario.calls.map((call) => ({
          name: call.name,
          arguments: JSON.parse(call.pieces.join("")) as JsonObject,
        })),
      };
    }),
  }),
});
