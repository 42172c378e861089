import { argumentText, type FakeBlock, type FakeStream } from "./scenario.ts";
import { splitBy } from "./split.ts";

type FakeCall = Extract<FakeBlock, { type: "tool-call" }>;

/** The SSE frames of one answer of a chat-completions server, in order. */
export function openaiFrames(reply: FakeStream, model: string, includeUsage: boolean): string[] {
  const chunk = (body: object): string =>
    `data: ${JSON.stringify({ id: "chatcmpl-fake", object: "chat.completion.chunk", created: 1, model, ...body })}\n\n`;
  const choice = (delta: object, finish: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta, finish_reason: finish }] });

  const frames = [choice({ role: "assistant", content: null })];
  for (const block of reply.blocks) {
    if (block.type !== "text") continue;
    for (const content of splitBy(block.text, reply.split)) frames.push(choice({ content }));
  }
  for (const refusal of splitBy(reply.refusal ?? "", reply.split)) frames.push(choice({ refusal }));
  const calls = reply.blocks.filter((block) => block.type === "tool-call");
  for (const delta of callDeltas(calls, reply)) frames.push(choice({ tool_calls: [delta] }));
  frames.push(choice({}, reply.stop ?? (calls.length > 0 ? "tool_calls" : "stop")));
  if (includeUsage) frames.push(chunk({ choices: [], usage: usageOf(reply) }));
  frames.push("data: [DONE]\n\n");
  return frames;
}

/** An error in the middle of the stream: a data line with `error`. */
export function openaiErrorFrame(type: string, message: string): string {
  return `data: ${JSON.stringify({ error: { type, message } })}\n\n`;
}

function callDeltas(calls: readonly FakeCall[], reply: FakeStream): object[] {
  const perCall = calls.map((call, index) => [
    // The id and the name stand on the first piece only.
    { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } },
    ...splitBy(argumentText(call.arguments), reply.split).map((json) => ({
      index,
      function: { arguments: json },
    })),
  ]);
  if (reply.interleave !== true) return perCall.flat();
  const longest = Math.max(0, ...perCall.map((list) => list.length));
  return Array.from({ length: longest }, (_, turn) =>
    perCall.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat();
}

function usageOf(reply: FakeStream): object {
  const usage = reply.usage ?? { input: 10, output: 5 };
  const prompt = usage.input + (usage.cacheRead ?? 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
  };
}
