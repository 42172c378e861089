export { flakyMcpServer, type CallFault, type FlakyMcpServer } from "./flaky-mcp-server.ts";
export { legacySseServer, type LegacySseServer } from "./legacy-sse-server.ts";
export { sampleTools, type Seen } from "./sample-tools.ts";
