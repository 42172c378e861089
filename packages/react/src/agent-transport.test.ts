import { answering, scriptedAgent, withServed } from "@troupe/a2a/testing";
import { connectAgent } from "@troupe/a2a/client";
import { describe, expect, it } from "vitest";

import type { AgentChat, AgentChatOptions } from "./agent-chat.ts";
import { agentTransport } from "./agent-transport.ts";
import type { AgentChatState } from "./chat-state.ts";
import { createAgentChat } from "./create-agent-chat.ts";
import { asking, form, saying } from "./testing/events.ts";

/** Answers, asks for a year, or works until it is told to stop. */
const agent = scriptedAgent(async function* ({ text, reply, history }, { signal }) {
  if (text === "work") {
    yield* saying("a", "Working ...");
    const stopped = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => stopped.resolve(), { once: true });
    await stopped.promise;
    return;
  }
  if (text === "ask") yield* asking(form);
  else if (reply !== undefined && "values" in reply)
    yield* answering([`In ${String(reply.values["year"])}.`]);
  else yield* answering([`You said ${text}, `, `after ${history.length} messages.`]);
});

function chatWith(url: string, options: Partial<AgentChatOptions> = {}): AgentChat {
  const chat = createAgentChat({
    transport: agentTransport(() => connectAgent(url)),
    frames: (fn) => {
      queueMicrotask(fn);
      return () => undefined;
    },
    ...options,
  });
  chat.connect();
  return chat;
}

function when(chat: AgentChat, is: (state: AgentChatState) => boolean): Promise<AgentChatState> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!is(chat.getState())) return;
      leave();
      resolve(chat.getState());
    };
    const leave = chat.subscribe(look);
    look();
  });
}

const rests = ({ status }: AgentChatState): boolean => status !== "running";

describe("a chat over A2A", () => {
  it("is answered, asked and answered again, and found again by its thread", async () => {
    await withServed({ agent }, async ({ url }) => {
      const chat = chatWith(url);
      chat.send("hello");
      expect(await when(chat, rests)).toMatchObject({ content: "You said hello, after 0 messages." });
      chat.send("ask");
      const { requests, threadId } = await when(chat, ({ status }) => status === "input-required");
      expect(requests).toEqual([form]);
      chat.reply({ requestId: "f1", values: { year: 2026 } });
      const answered = await when(chat, rests);
      expect(answered).toMatchObject({ status: "idle", content: "In 2026." });
      expect(answered.turns[2]?.taskId).toBe(answered.turns[1]?.taskId);
      chat.disconnect();

      const later = chatWith(url, { threadId });
      const found = await when(later, rests);
      expect(found.turns.map(({ text, state }) => [text, state.content])).toEqual([
        ["hello", "You said hello, after 0 messages."],
        ["ask", "In 2026."],
      ]);
      later.send("again");
      expect(
        (await when(later, ({ turns, status }) => turns.length === 3 && status === "idle")).content,
      ).toMatch(/^You said again, after [1-9]/);
      later.disconnect();
    });
  });

  it("is left while its task runs, taken up elsewhere, and canceled at the agent", async () => {
    await withServed({ agent }, async ({ url }) => {
      const chat = chatWith(url);
      chat.send("work");
      const { threadId } = await when(chat, ({ content }) => content === "Working ...");
      chat.disconnect();
      const other = chatWith(url, { threadId });
      await when(other, ({ content }) => content === "Working ...");
      other.stop();
      const stopped = await when(other, rests);
      expect(stopped).toMatchObject({
        status: "idle",
        turns: [{ text: "work", state: { outcome: "canceled" } }],
      });
      other.disconnect();
      const remote = await connectAgent(url);
      const { signal } = new AbortController();
      for await (const event of remote.join(stopped.turns[0]?.taskId ?? "", { signal }))
        expect(event.type === "finish" ? event.outcome : "canceled").toBe("canceled");
    });
  });

  it("says that nobody is there, and connects again when it is asked to", async () => {
    let url = await withServed({ agent }, ({ url }) => Promise.resolve(url));
    const chat = createAgentChat({ transport: agentTransport(() => connectAgent(url)) });
    chat.connect();
    chat.send("hello");
    expect(await when(chat, rests)).toMatchObject({ status: "error", error: { code: "agent.unreachable" } });
    await withServed({ agent }, async (served) => {
      ({ url } = served);
      chat.resend();
      expect(await when(chat, rests)).toMatchObject({
        status: "idle",
        content: "You said hello, after 0 messages.",
      });
    });
  });
});
