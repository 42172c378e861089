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
