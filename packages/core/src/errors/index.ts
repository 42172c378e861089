/** The errors alone, for threads and processes that must start fast and need neither the loop nor zod. */
export { AccessError } from "./access-error.ts";
export { AgentError, type AgentErrorCode } from "./agent-error.ts";
export { InputError, type InputErrorCode } from "./input-error.ts";
export { ModelError, type ModelErrorCode } from "./model-error.ts";
export { NetworkError, type NetworkErrorCode } from "./network-error.ts";
export { ProcessError, type ProcessErrorCode } from "./process-error.ts";
export { StoreError, type StoreErrorCode } from "./store-error.ts";
export { ToolError, type ToolErrorCode } from "./tool-error.ts";
export { isTroupeError, TroupeError, type TroupeErrorOptions } from "./troupe-error.ts";
