import { systemClock } from "@troupe/core";
import type { AgentEventBody, Clock } from "@troupe/stream";

import { answering, asking, responseOf, scriptedAgent, type ScriptedAgent } from "./scripted-agent.ts";

/** Milliseconds between two pieces of a long text. */
const PACE_MS = 10;

const LACKS_ACCESS: readonly AgentEventBody[] = [
  {
    type: "input-required",
    request: {
      requestId: "access",
      kind: "form",
      form: {
        title: "Access to the calendar",
        description: "Grant it at https://calendar.example/grant, then answer here.",
        fields: [],
        access: { service: "the calendar", url: "https://calendar.example/grant" },
      },
    },
  },
  ...asking("May I look into your calendar?"),
];

/**
 * An agent that does what requirements of the protocol are about, by the prompts that `runConformance`
 * has: it answers at once, writes until it is told to stop, asks back, and needs to be let.
 */
export function exerciseAgent({ clock = systemClock }: { readonly clock?: Clock } = {}): ScriptedAgent {
  return scriptedAgent(
    async function* ({ text }, { signal }) {
      if (/\bask me\b/i.test(text)) yield* asking("What is your name?");
      else if (/my authorization/i.test(text)) yield* LACKS_ACCESS;
      else if (/take your time/i.test(text)) yield* writing(clock, signal);
      else yield* answering(["Hello, ", "and ", "good day."]);
    },
    {
      name: "exercise-agent",
      title: "Exercise agent",
      description: "Answers, writes on until it is stopped, asks back, and needs to be let.",
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
