export { mcpSettings, type McpSettings } from "./mcp-settings.ts";
export { startMcp, type McpDefinition } from "./start-mcp.ts";
