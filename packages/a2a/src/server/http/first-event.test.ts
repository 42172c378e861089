import { SendMessageRequest } from "@a2a-js/sdk";
import { describe, expect, it } from "vitest";

import { answering, plainMessage, scriptedAgent, withServed } from "../../testing/index.ts";

const CALLS = [
  ["JSON-RPC 1.0", "1.0", "/a2a/jsonrpc"],
  ["REST 1.0", "1.0", "/a2a/rest/message:stream"],
  ["REST 0.3", "0.3", "/a2a/rest/v1/message:stream"],
] as const;

/** The same question in each form. */
function bodyOf(name: string): unknown {
  const params = SendMessageRequest.toJSON(plainMessage("hi"));
  if (name === "JSON-RPC 1.0") return { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params };
  if (name === "REST 1.0") return params;
  return { message: { messageId: "m", role: "ROLE_USER", content: [{ text: "hi" }] } };
}

describe("the first event of a burst", () => {
  it.each(CALLS)("reaches its reader over %s long before the last was said", async (name, version, path) => {
    let said = 0;
    const agent = scriptedAgent(async function* () {
      // Nothing here waits for anything but microtasks.
      for (const body of answering(Array.from({ length: 4_000 }, (_, i) => `chunk ${i} `))) {
        said++;
        yield body;
      }
    });
    await withServed({ agent }, async ({ url }) => {
      const answer = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "A2A-Version": version },
        body: JSON.stringify(bodyOf(name)),
      });
      let text = "";
      let saidBefore = Infinity;
      for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
        text += new TextDecoder().decode(chunk);
        if (saidBefore === Infinity && text.includes("chunk 0 ")) saidBefore = said;
      }
      expect(said).toBe(4_003);
      expect(saidBefore).toBeLessThan(4_003);
    });
  });
});
