import { importFrom } from "./installed.mjs";
import { ARGUMENTS, check, COMPLETE, PROMPT, SYSTEM, TOKEN, TOOL, TOOL_TEXT } from "./task.mjs";

const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 };

/** One run of the loop of core in its default mode: the answer is streamed out of the `finish` call. */
export async function oursLoop(project, task) {
  const { createAgent, defineTool } = await importFrom(project, "@troupe/core");
  const { z } = await importFrom(project, "zod");

  let toolRuns = 0;
  const tool = defineTool({
    name: TOOL,
    description: "Measures the water.",
    input: z.object({ place: z.string(), depth: z.number() }),
    idempotent: true,
    async execute() {
      toolRuns++;
      return { text: TOOL_TEXT };
    },
  });
  const agent = createAgent(
    {
      agent_type: "bench",
      name: "bench-agent",
      title: "Bench",
      description: "Measures.",
      system_prompt: SYSTEM,
      max_iterations: task.rounds + 2,
    },
    { model: scriptedModel(task), tools: [tool] },
  );
  let runs = 0;

  return async () => {
    toolRuns = 0;
    let answer = "";
    const request = { runId: `run-${++runs}`, text: PROMPT, history: [] };
    for await (const event of agent.run(request, { signal: new AbortController().signal })) {
      if (event.type === "text-delta") answer += event.delta;
      if (event.type === "finish" && event.outcome !== "completed") throw new Error(event.error?.message);
    }
    check("troupe", { answer, toolRuns }, task);
  };
}

/** Answers from the conversation alone, so one model serves every run. */
function scriptedModel({ rounds, tokens }) {
  return {
    id: "scripted",
    async *stream(request) {
      const round = (request.messages.length - 1) / 2;
      if (round < rounds) {
        const callId = `call-${round}`;
        yield { type: "tool-call-start", callId, name: TOOL };
        yield { type: "tool-call-delta", callId, delta: JSON.stringify(ARGUMENTS) };
        yield { type: "tool-call-end", callId };
        yield { type: "usage", usage: USAGE };
        yield { type: "stop", reason: "tool-calls" };
        return;
      }
      const callId = "finish";
      yield { type: "tool-call-start", callId, name: "finish" };
      yield { type: "tool-call-delta", callId, delta: '{"content":"' };
      for (let at = 0; at < tokens; at++) yield { type: "tool-call-delta", callId, delta: TOKEN };
      yield { type: "tool-call-delta", callId, delta: `",${JSON.stringify(COMPLETE).slice(1)}` };
      yield { type: "tool-call-end", callId };
      yield { type: "usage", usage: USAGE };
      yield { type: "stop", reason: "tool-calls" };
    },
  };
}
