import { chooseModel, type ChosenModel, type ModelChoice } from "@troupe/models";
import { modelChoice, withRecording } from "@troupe/service";

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
  const { planner_model: named } = settings;
  const choice = { ...modelChoice(settings), alsoUsed: named, ...parts };
  const recording = { agent: "orchestrator", log: parts.log };
  const model = withRecording(chooseModel(choice), settings, recording);
  if (named === undefined || model.kind === "playbook" || model.kind === "recorded")
    return { model, planner: model, describe: model.describe };
  const planner = withRecording(chooseModel({ ...choice, model: named }), settings, recording);
  return { model, planner, describe: `${model.describe} Planning on ${planner.model.id}.` };
}
