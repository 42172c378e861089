// A conversation with a remote agent as a plain store, for any framework or none.
import assert from "node:assert/strict";

import { connectAgent } from "@troupe/a2a/client";
import { serveAgent } from "@troupe/a2a/server";
import { agentTransport, createAgentChat } from "@troupe/react";

import { localAgent } from "./support/local-agent.ts";

const served = await serveAgent({ agent: localAgent("echo-agent", (text) => `You said: ${text}`) });
try {
  const seen = new Set<string>();
  const chat = createAgentChat({ transport: agentTransport(() => connectAgent(served.url)) });
  chat.subscribe(() => seen.add(chat.getState().content));
  chat.connect();
  chat.send("the river");
  await new Promise<void>((resolve) => {
    chat.subscribe(() => {
      if (chat.getState().status === "idle") resolve();
    });
  });
  chat.disconnect();
  const { content, turns } = chat.getState();
  assert.equal(content, "You said: the river");
  assert(seen.has(content));
  assert.equal(turns[0]?.state.outcome, "completed");
  process.stdout.write(`${turns[0]?.text}: ${content}\n`);
} finally {
  await served.close();
}
