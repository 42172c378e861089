import { createAgent, defineTool, type Model, type ResponseMode, type Tool } from "@troupe/core";
import { instantClock } from "@troupe/core/testing/virtual-clock";
import type { AgentEvent } from "@troupe/stream";
import { z } from "zod";

import type { Round, Script } from "./model-script.ts";

/** Runs the loop of a real agent on a script of rounds and tool results. */
export async function runScript(script: Script, mode: ResponseMode): Promise<readonly AgentEvent[]> {
  const agent = createAgent(
    {
      agent_type: "vector",
      name: "vector",
      title: "Vector",
      description: "Plays one case.",
      system_prompt: "Play.",
      response_mode: mode,
      max_iterations: script.rounds.length + 3,
    },
    { model: playing(script), tools: toolsOf(script), clock: instantClock, newId: () => "id" },
  );
  const events: AgentEvent[] = [];
  const request = { runId: "run", text: "Go.", history: [] };
  for await (const event of agent.run(request, { signal: new AbortController().signal })) events.push(event);
  return events;
}

/** Asked more often than it has rounds, it gives its answer or its error again, or says nothing. */
function playing({ rounds }: Script): Model {
  let asked = 0;
  const last = rounds.at(-1);
  const answers = last?.events.some((event) => event.type === "tool-call-start" && event.name === "finish");
  const again: Round = answers === true && last !== undefined ? last : { events: [], ...errorOf(last) };
  return {
    id: "vector",
    async *stream() {
      const { events, error } = rounds[asked++] ?? again;
      yield* events;
      if (error !== undefined) throw error;
      const called = events.some((event) => event.type === "tool-call-start");
      yield { type: "stop", reason: called ? "tool-calls" : "end" };
    },
  };
}

function errorOf(round: Round | undefined): Pick<Round, "error"> {
  return round?.error === undefined ? {} : { error: round.error };
}

/** Tools that take anything and end in the order in which the script has their results. */
function toolsOf({ results, tools, rounds }: Script): readonly Tool[] {
  const called = new Set(
    rounds.flatMap(({ events }) => events.flatMap((event) => ("callId" in event ? [event.callId] : []))),
  );
  const due = results.filter(
    ({ id }, at) => called.has(id) && results.findIndex((one) => one.id === id) === at,
  );
  const turns = [...due, undefined].map(() => Promise.withResolvers<void>());
  turns[0]?.resolve();
  return [...tools].map((name) =>
    defineTool({
      name,
      description: "Part of the case.",
      input: z.looseObject({}),
      idempotent: true,
      execute: async (_args, { callId }) => {
        const at = due.findIndex(({ id }) => id === callId);
        if (at === -1) return { text: "" };
        await turns[at]?.promise;
        turns[at + 1]?.resolve();
        return { text: due[at]?.content ?? "" };
      },
    }),
  );
}
