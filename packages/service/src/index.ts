export { newId } from "./adapters/new-id.ts";
export {
  readConfigFile,
  readFlags,
  runMain,
  type HostProcess,
  type MainOptions,
  type Running,
} from "./adapters/run-main.ts";
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
export { requireLoopback } from "./config/bind-guard.ts";
export {
  loadConfig,
  type ConfigSources,
  type LoadedConfig,
  type Origin,
  type SettingReport,
} from "./config/load-config.ts";
export {
  allowedOriginsSetting,
  mcpServersSetting,
  modelSettings,
  portSetting,
  processSettings,
  structuredOutputSetting,
} from "./config/process-settings.ts";
export { serverLimitsSetting } from "./config/server-limits.ts";
export { whenBusySetting } from "./config/when-busy.ts";
export { jsonSetting, portNumber, setting, toggle, type SettingMeta } from "./config/setting.ts";
export { lockHome, readOwner, type HomeLock, type HomeOwner } from "./home/home-lock.ts";
export { createLog, type LogOptions } from "./log/create-log.ts";
export { createMetrics, type ProcessMetrics } from "./metrics/create-metrics.ts";
export { metricsHandler } from "./metrics/metrics-handler.ts";
export { scrub } from "./log/scrub.ts";
export { secretsOf } from "./log/secrets-of.ts";
