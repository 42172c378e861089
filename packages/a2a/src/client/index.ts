export type { CallHeaders, GivenHeaders, OutgoingCall } from "./call-headers.ts";
export type { AgentConnection, CallOptions, ListedTask, StreamOptions } from "./connection.ts";
export type { GrpcClient } from "./grpc-client.ts";
export type { CallLimits } from "./call-limits.ts";
export { connectAgent, type ConnectOptions, type RemoteAgent } from "./connect-agent.ts";
export type { RemoteRequest } from "../wire/request.ts";
