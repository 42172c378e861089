import { AgentError, type SendRequest } from "@troupe/core";
import { NO_USAGE, type InputRequest } from "@troupe/stream";

import type { AgentScript, ScriptedTurn } from "../scripted-gateway.ts";
import { diceOf, type Dice } from "./dice.ts";

/** Longer than the shortest timeout of a step, shorter than the longest. */
const LONGEST_MS = 30_000;

/** What an agent asks that asks. */
export const QUESTION: InputRequest = {
  requestId: "own",
  kind: "form",
  form: {
    title: "Which?",
    description: "",
    fields: [
      {
        field_name: "word",
        field_label: "Word",
        field_description: "",
        field_type: "text",
        field_values: [],
        default_value: null,
        placeholder: "",
        required: true,
      },
    ],
  },
};

/** Agents that do anything an agent may do with a message; the same for the same seed and message id. */
export function randomAgents(seed: string): AgentScript {
  return (request, agent) => {
    const dice = diceOf(`${seed}/${request.messageId}`);
    const turn = randomTurn(dice);
    const most = mayUse(request, turn);
    const outputTokens = dice.chance(0.3) ? most : dice.below(most + 1);
    const usage = { ...NO_USAGE, outputTokens, modelCalls: 1 };
    const at = { v: 1, runId: "own", seq: 0, attempt: 1, agent } as const;
    return {
      ...turn,
      result: { usage, ...turn.result },
      events: [{ ...at, type: "usage", model: "m", usage }],
    };
  };
}

/** What an attempt is handed holds for its replies too: one that asks leaves half for what follows. */
function mayUse({ messageId, delegation }: SendRequest, { result }: ScriptedTurn): number {
  const replies = Number(/\.(\d+)$/.exec(messageId)?.[1] ?? 0);
  const keeps = result?.outcome === "input-required" ? 1 : 0;
  return Math.floor((delegation.limits.maxTotalTokens ?? 1_000) / 2 ** (replies + keeps));
}

function randomTurn(dice: Dice): ScriptedTurn {
  const ms = dice.chance(0.2) ? 0 : dice.below(LONGEST_MS);
  const retryable = dice.chance(0.7);
  switch (dice.below(20)) {
    case 0:
      return {
        ms,
        result: { outcome: "failed", answer: "", error: { code: "agent.failed", message: "no" } },
      };
    case 1:
      return { ms, result: { outcome: "partial", answer: "half of it" } };
    case 2:
      return { refuse: new AgentError("agent.busy", "not now", { retryable }) };
    case 3:
      return { ms, break: new AgentError("agent.unreachable", "gone", { retryable }) };
    case 4:
      return { ms, break: new AgentError("agent.task-lost", "it was restarted", { retryable: true }) };
    case 5:
      return { never: true };
    case 6:
    case 7:
      return { ms, result: { outcome: "input-required", answer: "", request: QUESTION } };
    case 8:
      return dice.chance(0.3) ? { ms, result: { outcome: "canceled", answer: "" } } : { ms };
    case 9: {
      const error = { code: "agent.restarted", message: "it was restarted" };
      return { ms, result: { outcome: "failed", answer: "", error } };
    }
    default:
      return { ms };
  }
}
