export {
  homeCollectionAccess,
  OPEN_ACCESS,
  type CollectionAccess,
  type CollectionRights,
} from "../auth/collection-access.ts";
export type { ResourceProvider } from "@troupe/mcp/server";
export { mcpSettings, type McpSettings } from "./mcp-settings.ts";
export { startMcp, type McpDefinition } from "./start-mcp.ts";
