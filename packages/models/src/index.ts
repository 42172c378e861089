export {
  anthropicModel,
  DEFAULT_ANTHROPIC_MODEL,
  type AnthropicModelOptions,
} from "./anthropic/anthropic-model.ts";
export { chooseModel, type ChosenModel, type ModelChoice } from "./choose-model.ts";
export {
  openaiCompatibleModel,
  type OpenaiCompatibleModelOptions,
} from "./openai/openai-compatible-model.ts";
export { finishCall, type FinishFields } from "./playbook/finish-call.ts";
export { playbookModel, type PlaybookModelOptions } from "./playbook/playbook-model.ts";
export type { Playbook, PlaybookCall, PlaybookMove } from "./playbook/playbook.ts";
export { NO_SHORTER, sayNotUsed } from "./playbook/say-not-used.ts";
export { callsSoFar, lastUserText, toolResults, type PlaybookResult } from "./playbook/read-request.ts";
export { recordModel, type RecordOptions } from "./recorded/record-model.ts";
export { parseRecording, type RecordedTurn } from "./recorded/recording.ts";
export { replayModel, type ReplayOptions } from "./recorded/replay-model.ts";
