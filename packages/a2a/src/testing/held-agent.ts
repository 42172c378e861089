import { gate } from "@troupe/core/testing";

import { answering, scriptedAgent, type ScriptedAgent } from "./scripted-agent.ts";

/** Answers "begun and done": begins at once, and goes on when it is let. */
export function heldAgent(): {
  readonly agent: ScriptedAgent;
  /** It has begun. */
  readonly begun: Promise<void>;
  readonly goOn: () => void;
} {
  const begun = gate();
  const rest = gate();
  const agent = scriptedAgent(async function* () {
    const events = answering(["begun", " and done"]);
    yield* events.slice(0, 2);
    begun.open();
    await rest.opened;
    yield* events.slice(2);
  });
  return { agent, begun: begun.opened, goOn: () => rest.open() };
}
