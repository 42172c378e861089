export type { ConnectionLimits } from "@troupe/core";
export type { Authenticate } from "./http/call-context.ts";
export type { Readiness } from "./http/health.ts";
export { serveAgent, type ServeAgentOptions, type ServedAgent } from "./serve-agent.ts";
