import { systemClock } from "@troupe/core";
import type { AgentEventBody, Clock } from "@troupe/stream";

import { answering, responseOf, scriptedAgent, type ScriptedAgent } from "./scripted-agent.ts";

/** Milliseconds between two pieces of a long text. */
const PACE_MS = 10;

const ASKS: readonly AgentEventBody[] = [
  {
    type: "finish",
    outcome: "input-required",
    response: responseOf("What is your name?", { is_task_complete: false, require_user_input: true }),
    answerItems: [],
  },
];

/**
 * An agent that does what requirements of the protocol are about, by the prompts that `runConformance`
 * has: it answers at once, writes until it is told to stop, and asks back.
 */
export function exerciseAgent({ clock = systemClock }: { readonly clock?: Clock } = {}): ScriptedAgent {
  return scriptedAgent(
    async function* ({ text }, { signal }) {
      if (/\bask me\b/i.test(text)) yield* ASKS;
      else if (/take your time/i.test(text)) yield* writing(clock, signal);
      else yield* answering(["Hello, ", "and ", "good day."]);
    },
    {
      name: "exercise-agent",
      title: "Exercise agent",
      description: "Answers, writes on until it is stopped, and asks back.",
    },
  );
}

async function* writing(clock: Clock, signal: AbortSignal): AsyncGenerator<AgentEventBody> {
  yield { type: "text-start", itemId: "answer", role: "answer" };
  for (let n = 1; !signal.aborted; n++) {
    yield { type: "text-delta", itemId: "answer", delta: `Paragraph ${n}. ` };
    await clock.sleep(PACE_MS, signal).catch(() => undefined);
  }
  yield { type: "text-end", itemId: "answer" };
  yield { type: "finish", outcome: "canceled", response: responseOf(""), answerItems: [] };
}
