import type { Citation } from "@troupe/stream";
import { z } from "zod";

import { createAgent } from "../agent/create-agent.ts";
import type { Middleware } from "../middleware/middleware.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { Tool, ToolOutput } from "../ports/tool.ts";
import { fakeAnswerCheck } from "../testing/fake-answer-check.ts";
import { finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { instantClock } from "../testing/virtual-clock.ts";
import { defineTool } from "../tools/define-tool.ts";

export const quote = "Trips over 500 km go by train.";
const passage: Citation = {
  id: "p1",
  document: "travel.md",
  source: "travel.md",
  collection: "c",
  chunkId: "1",
  quote,
  start: 0,
  end: 1,
};
export const annotations = { title: "Search", readOnly: true, destructive: false, openWorld: false };

export function searchTool(
  reply: (query: string) => ToolOutput = () => ({ text: `${quote} [p1]`, citations: [passage] }),
): Tool {
  return defineTool({
    name: "rag_search",
    description: "Searches documents.",
    input: z.strictObject({ query: z.string(), limit: z.number().optional() }),
    annotations,
    idempotent: true,
    execute: ({ query }) => Promise.resolve(reply(query)),
  });
}

export const search = { name: "rag_search", arguments: { query: "train" } };
export const save = { name: "save", arguments: { text: "x" } };
export const claim = "According to the travel policy you go by train.";

export interface Setup {
  readonly steps: readonly ScriptedStep[];
  readonly tools?: readonly Tool[];
  readonly config?: object;
  readonly request?: Partial<AgentRequest>;
  readonly middleware?: readonly Middleware[];
  readonly checked?: boolean;
  readonly free?: true;
}

/** A run of an agent that has a tool to search with, and one that saves. `told` is what its model read after each round. */
export async function run({ steps, config = {}, request = {}, middleware = [], ...more }: Setup) {
  const model = scriptedModel(steps);
  const { tools = [searchTool(), echoTool("save")], free } = more;
  const agent = createAgent(
    { ...testConfig, ...config },
    {
      model: free ? Object.assign(model, { free }) : model,
      tools,
      middleware,
      clock: instantClock,
      ...(more.checked === true && { answerCheck: fakeAnswerCheck({ words: { Tideline: "uncited" } }) }),
    },
  );
  const events = await runAgent(agent, request);
  model.assertDone();
  const told = model.requests.slice(1).map(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "tool" ? last.results.map(({ text }) => text).join("\n") : (last?.text ?? "");
  });
  return { finish: finishOf(events), events, told, requests: model.requests };
}

export const finished = { calls: [finishCall(`${quote} [1]`)] };
