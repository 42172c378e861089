export { serveStdio, type StdioOptions } from "../adapters/serve-stdio.ts";
export type { ConnectionLimits } from "@troupe/core";
export { createMcpServer, type McpServer, type McpServerOptions } from "./create-mcp-server.ts";
export type { McpPrompt } from "./prompts.ts";
export type { ResourceCaller, ResourceProvider, ResourceText } from "./provided-resources.ts";
export { serveHttp, type HttpOptions, type HttpServer } from "./serve-http.ts";
