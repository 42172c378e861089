import { isStepCount, streamText, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";

import { ARGUMENTS, check, PROMPT, SYSTEM, TOKEN, TOOL, TOOL_TEXT } from "../../lib/task.mjs";

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** One run of `streamText` with a tool and a mock model. */
export async function aiLoop(task) {
  let toolRuns = 0;
  const tools = {
    [TOOL]: tool({
      description: "Measures the water.",
      inputSchema: z.object({ place: z.string(), depth: z.number() }),
      async execute() {
        toolRuns++;
        return TOOL_TEXT;
      },
    }),
  };

  return async () => {
    toolRuns = 0;
    let answer = "";
    // A new one for every run: it keeps every request it has seen.
    const model = new MockLanguageModelV4({
      doStream: async ({ prompt }) => ({ stream: streamOf(prompt, task) }),
    });
    const result = streamText({
      model,
      tools,
      system: SYSTEM,
      prompt: PROMPT,
      stopWhen: isStepCount(task.rounds + 2),
    });
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") answer += part.text;
      if (part.type === "error") throw part.error;
    }
    check("ai", { answer, toolRuns }, task);
  };
}

function streamOf(prompt, { rounds, tokens }) {
  const round = (prompt.length - 2) / 2;
  const parts = round < rounds ? callParts(round) : textParts(tokens);
  // The cheapest way to make such a stream: everything is there at once.
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

function* callParts(round) {
  const id = `call-${round}`;
  const input = JSON.stringify(ARGUMENTS);
  yield { type: "tool-input-start", id, toolName: TOOL };
  yield { type: "tool-input-delta", id, delta: input };
  yield { type: "tool-input-end", id };
  yield { type: "tool-call", toolCallId: id, toolName: TOOL, input };
  yield { type: "finish", finishReason: { unified: "tool-calls", raw: undefined }, usage: USAGE };
}

function* textParts(tokens) {
  yield { type: "text-start", id: "answer" };
  for (let at = 0; at < tokens; at++) yield { type: "text-delta", id: "answer", delta: TOKEN };
  yield { type: "text-end", id: "answer" };
  yield { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage: USAGE };
}
