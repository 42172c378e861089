import { chooseModel, type ChosenModel, type ModelChoice } from "@troupe/models";
import { modelChoice } from "@troupe/service";

import type { OrchestratorSettings } from "./settings.ts";

/** The models of an orchestrator: one writes answers from several steps, and plans where no other does. */
export interface ChosenModels {
  readonly model: ChosenModel;
  readonly planner: ChosenModel;
  /** One line for people, without secrets. */
  readonly describe: string;
}

/** Throws an `InputError` where a model cannot be used as it is named. */
export function chooseModels(
  settings: OrchestratorSettings,
  parts: Pick<ModelChoice, "embedded" | "clock" | "log" | "onOutcome">,
): ChosenModels {
  const choice = { ...modelChoice(settings), ...parts };
  const model = chooseModel(choice);
  const { planner_model: named } = settings;
  if (named === undefined || model.kind === "playbook")
    return { model, planner: model, describe: model.describe };
  const planner = chooseModel({ ...choice, model: named });
  return { model, planner, describe: `${model.describe} Planning on ${planner.model.id}.` };
}
