export type { ChildServerConfig, McpServerConfig, RemoteServerConfig } from "./client/config.ts";
export { createMcpPool, type McpPool, type McpPoolOptions } from "./client/pool.ts";
export { ARTIFACT_SCHEME, artifactUri, parseArtifactUri } from "./wire/artifact-uri.ts";
