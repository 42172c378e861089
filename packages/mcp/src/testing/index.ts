export { memoryArtifactStore } from "./memory-artifact-store.ts";
export { sampleTools, type Seen } from "./sample-tools.ts";
