import { connectAgent } from "@troupe/a2a/client";
import { useEffect, useState, useSyncExternalStore } from "react";

import type { AgentChat, AgentChatOptions } from "./agent-chat.ts";
import { agentTransport, type ChatConnection } from "./agent-transport.ts";
import type { AgentChatState } from "./chat-state.ts";
import { createAgentChat } from "./create-agent-chat.ts";
import type { ChatTransport } from "./transport.ts";

export interface UseAgentChatOptions extends Omit<AgentChatOptions, "transport"> {
  /** Address of the agent. One of `url`, `connect` and `transport` is needed. */
  readonly url?: string;
  /** Makes the connection, where it takes more than an address: headers, a binding. */
  readonly connect?: () => Promise<ChatConnection>;
  /** Another way to the agent than A2A. */
  readonly transport?: ChatTransport;
}

export type UseAgentChat = AgentChatState & Pick<AgentChat, "send" | "reply" | "resend" | "stop">;

/**
 * A conversation with an agent in a component: rendered at most once a frame, read as long as the
 * component is there, and taken up again when it comes back. Another `url` or `threadId` is another
 * conversation; all other options are those of the first rendering. Throws an Error where no way to
 * the agent is given.
 */
export function useAgentChat(options: UseAgentChatOptions): UseAgentChat {
  const key = JSON.stringify([options.url, options.threadId]);
  const [held, hold] = useState(() => ({ key, chat: chatOf(options) }));
  let { chat } = held;
  if (held.key !== key) {
    chat = chatOf(options);
    hold({ key, chat });
  }
  useEffect(() => {
    chat.connect();
    return () => chat.disconnect();
  }, [chat]);
  const state = useSyncExternalStore(chat.subscribe, chat.getState, chat.getState);
  const { send, reply, resend, stop } = chat;
  return { ...state, send, reply, resend, stop };
}

function chatOf({ url, connect, transport, ...rest }: UseAgentChatOptions): AgentChat {
  if (transport !== undefined) return createAgentChat({ ...rest, transport });
  if (connect !== undefined) return createAgentChat({ ...rest, transport: agentTransport(connect) });
  if (url === undefined) throw new Error("useAgentChat needs a url, a connect or a transport.");
  return createAgentChat({ ...rest, transport: agentTransport(() => connectAgent(url)) });
}
