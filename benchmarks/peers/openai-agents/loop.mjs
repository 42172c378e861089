import { Agent, run, setTracingDisabled, tool } from "@openai/agents";
import { z } from "zod";

import { ARGUMENTS, check, PROMPT, SYSTEM, TOKEN, TOOL, TOOL_TEXT } from "../../lib/task.mjs";

setTracingDisabled(true);

const USAGE = { requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/** One streamed run of an agent with a tool and a model that streams what it is told. */
export async function agentsLoop(task) {
  let toolRuns = 0;
  const measure = tool({
    name: TOOL,
    description: "Measures the water.",
    parameters: z.object({ place: z.string(), depth: z.number() }),
    async execute() {
      toolRuns++;
      return TOOL_TEXT;
    },
  });
  const agent = new Agent({
    name: "bench",
    instructions: SYSTEM,
    model: scriptedModel(task),
    tools: [measure],
  });

  return async () => {
    toolRuns = 0;
    let answer = "";
    const stream = await run(agent, PROMPT, { stream: true, maxTurns: task.rounds + 2 });
    for await (const event of stream) {
      if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta") {
        answer += event.data.delta;
      }
    }
    check("openai-agents", { answer, toolRuns }, task);
  };
}

function scriptedModel({ rounds, tokens }) {
  return {
    getResponse() {
      throw new Error("only streaming is measured");
    },
    async *getStreamedResponse({ input }) {
      const round = Array.isArray(input) ? (input.length - 1) / 2 : 0;
      if (round < rounds) {
        yield done(round, {
          type: "function_call",
          callId: `call-${round}`,
          name: TOOL,
          status: "completed",
          arguments: JSON.stringify(ARGUMENTS),
        });
        return;
      }
      for (let at = 0; at < tokens; at++) yield { type: "output_text_delta", delta: TOKEN };
      yield done(round, {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: TOKEN.repeat(tokens) }],
      });
    },
  };
}

function done(round, item) {
  return { type: "response_done", response: { id: `response-${round}`, usage: USAGE, output: [item] } };
}
