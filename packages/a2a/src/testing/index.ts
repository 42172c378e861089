export { captureWire, plainClient, plainMessage, taskOf } from "./capture.ts";
export { collect } from "./collect.ts";
export { exerciseAgent } from "./exercise-agent.ts";
export { exerciseExecutor } from "./exercise-executor.ts";
export { heldAgent } from "./held-agent.ts";
export { servePlainAgent, type PlainAgent } from "./plain-agent.ts";
export { artifactExecutor, messageExecutor, type PlainChunk } from "./plain-executors.ts";
export {
  answering,
  asking,
  responseOf,
  scriptedAgent,
  type AgentScript,
  type ScriptedAgent,
} from "./scripted-agent.ts";
export { taskStoreContract } from "./task-store-contract.ts";
export type { ContractCase, ContractSettings, TaskStoreUnderTest } from "./task-store/contract-case.ts";
export { tckAgent, tckTaskStore } from "./tck/tck-agent.ts";
export { taskWriter, type TaskWriter } from "./task-writer.ts";
export { withServed } from "./with-served.ts";
