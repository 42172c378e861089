export { collectAnswer, type CollectedAnswer } from "./collect-answer.ts";
export { artifactStoreContract } from "./contracts/artifact-store.ts";
export { modelContract, type ModelContractOptions, type ModelScenario } from "./contracts/model.ts";
export { suspendedRunsContract } from "./contracts/suspended-runs.ts";
export { toolSourceContract, type ToolSourceFixture } from "./contracts/tool-source.ts";
export { fakeAnswerCheck, type FakeAnswerCheck, type FakeAnswerCheckOptions } from "./fake-answer-check.ts";
export { faultProxy, type Fault, type FaultProxy } from "./fault-proxy.ts";
export { freePort } from "./free-port.ts";
export { gate, type Gate } from "./gate.ts";
export { eventsOf, finishOf, outline, runAgent, testConfig } from "./run-agent.ts";
export { sampleImage } from "./sample-image.ts";
export { mortalProcess, type MortalProcess } from "./mortal-process.ts";
export { memoryArtifactStore } from "./memory-artifact-store.ts";
export {
  finishCall,
  scriptedModel,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedStep,
} from "./scripted-model.ts";
export { randomFrom, within } from "./random.ts";
export { serveHttp, type HttpServer } from "./serve-http.ts";
export { sampleSuspendedRun } from "./suspended-run.ts";
export { echoTool, fakeToolSource } from "./tools.ts";
export { instantClock, virtualClock, type VirtualClock } from "./virtual-clock.ts";
