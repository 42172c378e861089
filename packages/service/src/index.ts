export { newId } from "./adapters/new-id.ts";
export {
  parseConfigFile,
  readConfigFile,
  readFlags,
  runMain,
  type HostProcess,
  type MainOptions,
  type Running,
} from "./adapters/run-main.ts";
export { openTasks, type OpenTasks } from "./agent/open-tasks.ts";
export { lazyGrpcClient } from "./agent/load-grpc.ts";
export { serveOptions } from "./agent/serve-options.ts";
export { artifactLinks, type ArtifactLinks } from "./artifacts/artifact-links.ts";
export {
  fileArtifactStore,
  type FileArtifactStore,
  type FileArtifactStoreOptions,
} from "./artifacts/file-artifact-store.ts";
export { homeArtifacts, type HomeArtifacts, type HomeArtifactsOptions } from "./artifacts/home-artifacts.ts";
export {
  artifactHandler,
  linkedArtifacts,
  type ArtifactHandlerOptions,
} from "./artifacts/http/artifact-handler.ts";
export { fileLinkKeys, type LinkKeys } from "./artifacts/link-keys.ts";
export type { Pruned, PruneOptions } from "./artifacts/prune-files.ts";
export { safeName } from "./artifacts/safe-name.ts";
export { audienceOf } from "./auth/audience.ts";
export { authSettings, type AuthSettings } from "./auth/auth-settings.ts";
export {
  readCollectionRules,
  shareCollection,
  type CollectionRule,
  type CollectionRules,
  type ShareCollection,
} from "./auth/collection-rules.ts";
export { delegationHeaders } from "./auth/delegation-headers.ts";
export {
  delegationIssuer,
  type DelegatedCall,
  type DelegationIssuer,
  type DelegationIssuerOptions,
} from "./auth/delegation-issuer.ts";
export { openDelegationKey, type DelegationKey } from "./auth/delegation-key.ts";
export { addKey, listKeys, revokeKey, type AddKey, type KeyEntry } from "./auth/keys.ts";
export type { NewKey } from "./auth/api-key.ts";
export { findMcpToken } from "./auth/mcp-token.ts";
export type { Auth } from "./auth/open-auth.ts";
export { openProcessAuth } from "./auth/open-process-auth.ts";
export { requireLoopback } from "./config/bind-guard.ts";
export {
  loadConfig,
  type ConfigSources,
  type LoadedConfig,
  type Origin,
  type SettingReport,
} from "./config/load-config.ts";
export { mcpServersSetting, modelSettings, portSetting, processSettings } from "./config/process-settings.ts";
export { modelChoice } from "./config/model-choice.ts";
export { withRecording } from "./config/with-recording.ts";
export { servedSettings, type ServedSettings } from "./config/served-settings.ts";
export { jsonSetting, portNumber, setting, toggle, type SettingMeta } from "./config/setting.ts";
export { unknownKeys, unknownVariables } from "./config/unknown-settings.ts";
export { unknownSwitches } from "./config/unknown-switches.ts";
export { createModelHealth, type ModelHealth } from "./health/model-health.ts";
export { lockHome, readOwner, shareHome, type HomeLock, type HomeOwner } from "./home/home-lock.ts";
export { createPrivate, replacePrivate } from "./home/private-file.ts";
export { createLog, type LogOptions } from "./log/create-log.ts";
export { createMetrics, type ProcessMetrics } from "./metrics/create-metrics.ts";
export { metricsHandler } from "./metrics/metrics-handler.ts";
export { scrub } from "./log/scrub.ts";
export { secretsOf } from "./log/secrets-of.ts";
