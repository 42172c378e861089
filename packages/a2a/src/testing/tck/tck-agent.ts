import { systemClock } from "@troupe/core";
import type { AgentEventBody, Clock } from "@troupe/stream";

import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import type { TaskStore } from "../../store/task-store.ts";
import { answering, asking, responseOf, scriptedAgent, type ScriptedAgent } from "../scripted-agent.ts";

/** Longer than the kit waits before it subscribes again. */
const LONG_MS = 4_000;

const DATA = { key: "value", count: 42 };

const REPLIES_BY_MESSAGE = "tck-message-response";

/** Texts of the scenarios that complete with one artifact, by the beginning of the message id. */
const TEXTS: readonly (readonly [string, string])[] = [
  ["tck-artifact-text", "Generated text content"],
  ["tck-stream-artifact-text", "Streamed text content"],
  ["tck-stream-001", "Stream hello from TCK"],
  ["tck-stream-003", "Stream task lifecycle"],
  ["tck-stream-ordering-001", "Ordered output"],
  [REPLIES_BY_MESSAGE, "Direct message response"],
];

/**
 * The agent that the Technology Compatibility Kit of A2A asks for (`scenarios` of a2aproject/a2a-tck): it plays the
 * scenario that the beginning of the message id names, and completes everything else.
 */
export function tckAgent({ clock = systemClock }: { readonly clock?: Clock } = {}): ScriptedAgent {
  const agent = scriptedAgent(({ messageId = "" }, { signal }) => scenario(messageId, clock, signal), {
    name: "tck-agent",
    title: "TCK agent",
    description: "Plays the scenarios of the A2A Technology Compatibility Kit.",
  });
  const repliesWith: ScriptedAgent["repliesWith"] = ({ messageId = "" }) =>
    messageId.startsWith(REPLIES_BY_MESSAGE) ? "message" : "task";
  return Object.assign(agent, { repliesWith });
}

/**
 * A store that takes each message for a new one. The kit sends one message id in several of its tests; a server
 * that recognises a message that is sent again leads all of them to one task.
 */
export function tckTaskStore({ clock = systemClock }: { readonly clock?: Clock } = {}): TaskStore {
  const store = createMemoryTaskStore({ clock });
  let count = 0;
  return {
    ...store,
    claim: (owner, messageId, task, from) => store.claim(owner, `${messageId}#${++count}`, task, from),
    taskOf: () => Promise.resolve(undefined),
  };
}

async function* scenario(
  messageId: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<AgentEventBody, void, undefined> {
  const is = (prefix: string): boolean => messageId.startsWith(prefix);
  const text = TEXTS.find(([prefix]) => is(prefix))?.[1];
  if (text !== undefined) yield* answering([text]);
  else if (is("tck-stream-artifact-chunked")) yield* answering(["chunk-1 ", "chunk-2"]);
  else if (is("tck-artifact-file") || is("tck-stream-artifact-file")) yield* withFile();
  else if (is("tck-artifact-data")) yield { ...completed("Data."), result: { name: "data", data: DATA } };
  else if (is("tck-input-required")) yield* asking("What else?");
  else if (is("tck-reject-task"))
    yield {
      type: "finish",
      outcome: "failed",
      rejected: true,
      response: responseOf("", { is_task_complete: false }),
      answerItems: [],
      error: { code: "agent.rejected", message: "rejected" },
    };
  else if (is("test-resubscribe-message-id")) {
    await clock.sleep(LONG_MS, signal);
    yield* answering(["Done."]);
  } else yield completed("Hello from TCK");
}

function* withFile(): Generator<AgentEventBody, void, undefined> {
  yield {
    type: "artifact",
    artifact: {
      id: "output",
      name: "output.txt",
      mediaType: "text/plain",
      bytes: 3,
      sha256: "",
      url: "https://example.com/output.txt",
    },
  };
  yield completed("output.txt");
}

function completed(content: string): Extract<AgentEventBody, { type: "finish" }> {
  return { type: "finish", outcome: "completed", response: responseOf(content), answerItems: [] };
}
