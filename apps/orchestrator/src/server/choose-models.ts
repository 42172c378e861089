import { chooseModel, type ChosenModel, type ModelChoice } from "@troupe/models";
import { modelChoice, withRecording } from "@troupe/service";

import type { OrchestratorSettings } from "./settings.ts";

/** The models of an orchestrator: `model` writes answers from several steps, `planner` plans; they may be the same. */
export interface ChosenModels {
  readonly model: ChosenModel;
  readonly planner: ChosenModel;
  /** One line for people, without secrets. */
  readonly describe: string;
}

/** Throws an `InputError` if a named model cannot be used. */
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
