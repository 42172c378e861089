export type { ConnectionLimits } from "@troupe/core";
export { callerOf, type Authenticate } from "./http/gate.ts";
export type { Lacks } from "./http/health.ts";
export type { GivenLimits, ServerLimits } from "./limits/server-limits.ts";
export { serveAgent, type ServeAgentOptions, type ServedAgent } from "./serve-agent.ts";
export type { CardSecurity, SecuritySchemeJson } from "../wire/card-security.ts";
export type { PushOptions } from "../push/start-push.ts";
export type { CardExtension } from "../wire/card.ts";
export type { ExtendCard } from "./request-handler.ts";
