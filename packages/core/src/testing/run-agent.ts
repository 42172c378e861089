import type { AgentEvent, AgentEventBody, AgentEventOf, AgentEventType } from "@troupe/stream";

import type { AgentConfigInput } from "../config/agent-config.ts";
import type { AgentRequest, RunnableAgent } from "../ports/agent.ts";

/** The least an agent needs. */
export const testConfig: AgentConfigInput = {
  agent_type: "test",
  name: "tester",
  title: "Tester",
  description: "An agent for tests.",
  system_prompt: "You are a test.",
};

/** Reads a run to its end. `onEvent` sees each event as it comes. */
export async function runAgent(
  agent: RunnableAgent,
  request: Partial<AgentRequest> = {},
  options: { readonly signal?: AbortSignal; readonly onEvent?: (event: AgentEvent) => void } = {},
): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  const signal = options.signal ?? new AbortController().signal;
  const full: AgentRequest = { runId: "run-1", text: "Go.", history: [], ...request };
  for await (const event of agent.run(full, { signal })) {
    events.push(event);
    options.onEvent?.(event);
  }
  return events;
}

/** The events of one type. */
export function eventsOf<T extends AgentEventType>(
  events: readonly AgentEvent[],
  type: T,
): readonly AgentEventOf<T>[] {
  return events.filter((event): event is AgentEventOf<T> => event.type === type);
}

/** The one `finish`, which must be the last event. */
export function finishOf(events: readonly AgentEvent[]): AgentEventOf<"finish"> {
  const all = eventsOf(events, "finish");
  const last = events.at(-1);
  if (last?.type !== "finish" || all.length !== 1) {
    throw new Error(`finish must come once and last, but the events were: ${outline(events).join(" | ")}`);
  }
  return last;
}

/** One short line an event, without positions, for a test to compare. */
export function outline(events: readonly AgentEventBody[]): readonly string[] {
  return events.map((event) => {
    switch (event.type) {
      case "text-start":
        return `text-start ${event.itemId} ${event.role}`;
      case "text-delta":
        return `text-delta ${event.itemId} ${event.delta}`;
      case "text-role":
        return `text-role ${event.itemId} ${event.role}`;
      case "text-end":
        return `text-end ${event.itemId}`;
      case "tool-start":
        return `tool-start ${event.callId} ${event.tool}`;
      case "tool-end":
        return `tool-end ${event.callId} ${event.tool} ${event.status}`;
      case "finish":
        return `finish ${event.outcome} [${event.answerItems.join(",")}]`;
      default:
        return event.type;
    }
  });
}
