export type { AgentChange } from "./registry/watched-agent.ts";
export type { CallHeaders, GivenHeaders, OutgoingCall } from "./client/call-headers.ts";
export type { AgentConnection, CallOptions } from "./client/connection.ts";
export { createRegistry, type AgentRegistry, type RegistryOptions } from "./registry/create-registry.ts";
export type { CallLimits } from "./client/call-limits.ts";
export { createA2AGateway, type GatewayOptions } from "./registry/gateway.ts";
export { createMemoryTaskStore, type MemoryTaskStoreOptions } from "./store/memory-task-store.ts";
export type { TaskPage, TaskQuery, TaskStore } from "./store/task-store.ts";
export { cardOf, profileOf, speaksExtension } from "./wire/card.ts";
export {
  createArtifactChecker,
  type ArtifactChecker,
  type ArtifactRule,
  type ArtifactViolation,
} from "./wire/artifact-checker.ts";
export { checkArtifactStream } from "./wire/check-artifact-stream.ts";
export { createDecoder, type Decoder, type DecoderOptions } from "./wire/decode/decoder.ts";
export { createEncoder, type Encoder, type EncoderOptions } from "./wire/encode/encoder.ts";
export { ARTIFACT_NAMES, EXT } from "./wire/extension.ts";
export { createLedger, type ArtifactContent, type Ledger, type LedgerOptions } from "./wire/ledger.ts";
export type { WireEvent } from "./wire/parts.ts";
export { fromMessage, toMessage, type RemoteRequest } from "./wire/request.ts";
export { watchArtifacts, type WatchOptions } from "./wire/watch-artifacts.ts";
