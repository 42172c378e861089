export { memoryEventLog, type MemoryEventLog } from "./memory-event-log.ts";
export {
  scriptedGateway,
  type AgentScript,
  type ScriptedCall,
  type ScriptedGateway,
  type ScriptedTurn,
} from "./scripted-gateway.ts";
export { memoryEngine } from "./memory-engine.ts";
export { memoryJournal } from "./memory-journal.ts";
export { mortalDriver } from "./mortal-driver.ts";
export { watchSteps, type StepWatch } from "./watch-steps.ts";
export { tryWorkflow, type WorkflowTrial } from "./workflow-trial.ts";
export { workflowEngineContract } from "./contract/engine-contract.ts";
export { runLogContract } from "./run-log/run-log-contract.ts";
export type { OpenRunLog, RunLogCase, RunLogHarness } from "./run-log/harness.ts";
export { outcomeOf, type ContractCase, type EngineHarness } from "./contract/harness.ts";
export { agentEntry, trialTeam } from "./agent-entries.ts";
