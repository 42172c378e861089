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
export { recordModel, type RecordOptions } from "./recorded/record-model.ts";
export { parseRecording, type RecordedTurn } from "./recorded/recording.ts";
export { replayModel, type ReplayOptions } from "./recorded/replay-model.ts";
