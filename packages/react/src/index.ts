export type { Frames } from "./adapters/animation-frames.ts";
export type { AgentChat, AgentChatOptions } from "./agent-chat.ts";
export { agentTransport, type ChatConnection } from "./agent-transport.ts";
export { ChatError, type ChatErrorCode } from "./chat-error.ts";
export type { AgentChatState, ChatStatus, ChatTurn } from "./chat-state.ts";
export { createAgentChat } from "./create-agent-chat.ts";
export type { AgentTurnItem, ErrorInfo, InputReply, InputRequest, TurnState } from "@troupe/stream";
export type { ChatCallOptions, ChatRequest, ChatSendOptions, ChatTask, ChatTransport } from "./transport.ts";
export { useAgentChat, type UseAgentChat, type UseAgentChatOptions } from "./use-agent-chat.ts";
