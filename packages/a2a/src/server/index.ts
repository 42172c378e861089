export type { ConnectionLimits } from "@troupe/core";
export { callerOf, type Authenticate } from "./http/gate.ts";
export type { Readiness } from "./http/health.ts";
export { serveAgent, type ServeAgentOptions, type ServedAgent } from "./serve-agent.ts";
