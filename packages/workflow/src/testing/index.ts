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
export { tryWorkflow, type WorkflowTrial } from "./workflow-trial.ts";
export { workflowEngineContract } from "./contract/engine-contract.ts";
export { outcomeOf, type ContractCase, type EngineHarness } from "./contract/harness.ts";
export { agentEntry, trialTeam } from "./agent-entries.ts";
