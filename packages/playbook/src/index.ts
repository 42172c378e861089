export { finishCall, type FinishFields } from "./policy/finish-call.ts";
export { playbookModel, type PlaybookModelOptions } from "./policy/playbook-model.ts";
export type { Playbook, PlaybookCall, PlaybookMove } from "./policy/playbook.ts";
export { callsSoFar, lastUserText, toolResults, type PlaybookResult } from "./policy/read-request.ts";
