import type { Binding } from "../requirement.ts";

/** Errors of the protocol as each binding tells them: table of section 5.4, names of section 11.6. */
export const FAULTS = {
  TaskNotFoundError: { rpc: -32001, http: 404, grpc: 5, reason: "TASK_NOT_FOUND" },
  TaskNotCancelableError: { rpc: -32002, http: 400, grpc: 9, reason: "TASK_NOT_CANCELABLE" },
  PushNotificationNotSupportedError: {
    rpc: -32003,
    http: 400,
    grpc: 9,
    reason: "PUSH_NOTIFICATION_NOT_SUPPORTED",
  },
  UnsupportedOperationError: { rpc: -32004, http: 400, grpc: 9, reason: "UNSUPPORTED_OPERATION" },
  ContentTypeNotSupportedError: { rpc: -32005, http: 400, grpc: 3, reason: "CONTENT_TYPE_NOT_SUPPORTED" },
  InvalidAgentResponseError: { rpc: -32006, http: 500, grpc: 13, reason: "INVALID_AGENT_RESPONSE" },
  ExtendedAgentCardNotConfiguredError: {
    rpc: -32007,
    http: 400,
    grpc: 9,
    reason: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
  },
  ExtensionSupportRequiredError: { rpc: -32008, http: 400, grpc: 9, reason: "EXTENSION_SUPPORT_REQUIRED" },
  VersionNotSupportedError: { rpc: -32009, http: 400, grpc: 9, reason: "VERSION_NOT_SUPPORTED" },
} as const;

export type FaultName = keyof typeof FAULTS;

/** What each binding calls a request whose parameters are not valid. */
export const INVALID: { readonly [B in Binding]: number } = { JSONRPC: -32602, "HTTP+JSON": 400, GRPC: 3 };
