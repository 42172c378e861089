import { normalizeWorkflow } from "../../schema/normalize.ts";
import type { DagSpec } from "../../schema/spec.ts";
import { workflowSchema, type WorkflowInput } from "../../schema/workflow-schema.ts";
import type { Dice } from "./dice.ts";

/** Steps of one workflow at most. */
const MOST_STEPS = 30;

/** A workflow of up to 30 steps that wait for any of those before them, with every policy there is. */
export function randomWorkflow(dice: Dice): DagSpec {
  const count = 1 + (dice.chance(0.7) ? dice.below(6) : dice.below(MOST_STEPS));
  const input: WorkflowInput = {
    version: 1,
    name: "simulated",
    mode: "parallel",
    steps: Array.from({ length: count }, (_, at) => randomStep(dice, at)),
    ...(dice.chance(0.4) ? { max_parallel: 1 + dice.below(4) } : {}),
    ...(dice.chance(0.2) ? { limits: { max_total_tokens: 1 + dice.below(3_000) } } : {}),
    ...(dice.chance(0.2) ? { deadline_seconds: 1 + dice.below(dice.chance(0.5) ? 60 : 10_000) } : {}),
  };
  return normalizeWorkflow(workflowSchema.parse(input));
}

function randomStep(dice: Dice, at: number): WorkflowInput["steps"][number] {
  const share = dice.below(4) / Math.max(1, at);
  const common = {
    id: `s${at}`,
    depends_on: Array.from({ length: at }, (_, before) => `s${before}`).filter(() => dice.chance(share)),
    on_failure: dice.pick(["fail", "skip", "continue"] as const),
  };
  const expires = dice.chance(0.2) ? { expires_seconds: dice.pick([30, 1_800]) } : {};
  if (dice.chance(0.12)) {
    const field = { field_name: "word", default_value: "none" };
    const or = dice.pick(["fail", "default"] as const);
    return { ...common, ...expires, kind: "human", form: { fields: [field] }, on_expiry: or };
  }
  return {
    ...common,
    ...expires,
    agent: `agent-${dice.below(4)}`,
    instruction: `do s${at}`,
    timeout_seconds: dice.pick([5, 20, 60]),
    retry: { attempts: 1 + dice.below(3), backoff_seconds: dice.below(5) },
  };
}
