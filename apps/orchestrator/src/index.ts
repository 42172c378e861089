export { createOrchestrator, type OrchestratorOptions } from "./orchestrator/create-orchestrator.ts";
export type { Orchestrator } from "./orchestrator/orchestrator.ts";
export type { TaskInput } from "./orchestrator/task.ts";
export { readRunReport, type RunReport } from "./orchestrator/run-report.ts";
export { settings, type OrchestratorSettings } from "./server/settings.ts";
