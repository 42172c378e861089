import type { ModelEvent } from "@troupe/core";
import { NO_USAGE } from "@troupe/stream";

import type { DagDriverOptions } from "../../driver/options.ts";
import { ADD_STEPS } from "../../planner/add-steps.ts";
import { normalizeWorkflow } from "../../schema/normalize.ts";
import type { DagSpec } from "../../schema/spec.ts";
import { agentEntry } from "../agent-entries.ts";
import { diceOf, type Dice } from "./dice.ts";

/** A model that answers or asks for steps at random, some of them invalid. Each call draws again. */
export function randomWriter(seed: string, spec: DagSpec): Pick<DagDriverOptions, "model" | "replan"> {
  let calls = 0;
  return {
    model: {
      id: "writer",
      free: true,
      async *stream({ tools }): AsyncGenerator<ModelEvent> {
        const call = ++calls;
        const dice = diceOf(`${seed}/writer/${call}`);
        const asks = tools.length > 0 && dice.chance(0.7);
        if (asks) {
          const callId = `call-${call}`;
          const delta = JSON.stringify({ reason: "more is needed", steps: randomSteps(dice, spec, call) });
          yield { type: "tool-call-start", callId, name: ADD_STEPS };
          yield { type: "tool-call-delta", callId, delta };
          yield { type: "tool-call-end", callId };
        } else yield { type: "text-delta", text: `answer ${call}` };
        yield { type: "usage", usage: { ...NO_USAGE, modelCalls: 1 } };
        yield { type: "stop", reason: asks ? "tool-calls" : "end" };
      },
    },
    replan: {
      team: async () => ({ agents: [0, 1, 2, 3].map((n) => agentEntry(`agent-${n}`, [])) }),
      normalize: (workflow) => normalizeWorkflow(workflow),
    },
  };
}

function randomSteps(dice: Dice, { steps }: DagSpec, call: number): readonly object[] {
  const ids = Array.from({ length: 1 + dice.below(3) }, (_, at) => `x${call}-${at}`);
  return ids.map((id, at) => ({
    id,
    agent: `agent-${dice.below(dice.chance(0.1) ? 9 : 4)}`,
    instruction: `do ${id}`,
    depends_on: [...steps.map((step) => step.id), ...ids.slice(0, at)].filter(() => dice.chance(0.15)),
    expected_output: "",
  }));
}
