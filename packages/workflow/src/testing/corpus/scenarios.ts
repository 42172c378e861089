import { AgentError, type AgentResult } from "@troupe/core";
import { NO_USAGE, type Citation, type InputRequest } from "@troupe/stream";

import type { WorkflowInput } from "../../schema/workflow-schema.ts";
import type { AgentScript, ScriptedTurn } from "../scripted-gateway.ts";

/** A run whose journal has entries of some kinds, and what must come of it by any driver. */
export interface Scenario {
  readonly name: string;
  readonly workflow: Omit<WorkflowInput, "version" | "name">;
  /** By `step#attempt[.reply]`; an agent that is not named here answers with that key. */
  readonly turns: { readonly [key: string]: ScriptedTurn };
  /** Signals that are told, the name and its value, some time after the run has begun. */
  readonly signals: readonly (readonly [string, { readonly [key: string]: unknown }])[];
}

const field = (name: string) => ({ field_name: name, field_label: name, field_description: "" });
const QUESTION: InputRequest = {
  requestId: "own",
  kind: "form",
  form: {
    title: "Which?",
    description: "",
    fields: [
      {
        ...field("word"),
        field_type: "text",
        field_values: [],
        default_value: null,
        placeholder: "",
        required: true,
      },
    ],
  },
};
const SOURCE: Citation = {
  id: "1",
  document: "A page",
  source: "https://example.org/a",
  collection: "c",
  chunkId: "k",
  quote: "a",
  start: 0,
  end: 1,
};

const ended = (result: Partial<AgentResult>): ScriptedTurn => ({ ms: 1_000, result });

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "results, a failure and another attempt",
    workflow: {
      mode: "parallel",
      final: "passthrough",
      steps: [
        { id: "a", agent: "a", instruction: "a" },
        { id: "b", agent: "b", instruction: "b", retry: { attempts: 2, backoff_seconds: 2 } },
        { id: "c", agent: "c", instruction: "c", depends_on: ["a", "b"] },
      ],
    },
    turns: {
      "a#1": ended({ answer: "a#1 [1]", citations: [SOURCE], usage: { ...NO_USAGE, outputTokens: 7 } }),
      "b#1": ended({ outcome: "failed", answer: "", error: { code: "agent.failed", message: "not yet" } }),
      "c#1": ended({ outcome: "partial", answer: "c#1", data: { rows: [1, 2] } }),
    },
    signals: [],
  },
  {
    name: "a person's step and an agent's question",
    workflow: {
      mode: "parallel",
      final: "passthrough",
      steps: [
        { id: "person", kind: "human", form: { title: "Say", fields: [field("word")] } },
        { id: "asks", agent: "asks", instruction: "ask" },
        { id: "after", agent: "after", instruction: "go on", depends_on: ["person", "asks"] },
      ],
    },
    turns: { "asks#1": ended({ outcome: "input-required", answer: "", request: QUESTION }) },
    signals: [
      ["human:person", { requestId: "person", values: { word: "said" } }],
      ["reply:asks#1", { requestId: "asks#1", values: { word: "told" } }],
    ],
  },
  {
    name: "a timeout that the run goes on without, and an answer put together",
    workflow: {
      mode: "parallel",
      final: "synthesize",
      steps: [
        { id: "slow", agent: "slow", instruction: "s", timeout_seconds: 5, on_failure: "continue" },
        { id: "quick", agent: "quick", instruction: "q" },
        { id: "after", agent: "after", instruction: "go on", depends_on: ["slow"] },
      ],
    },
    turns: { "slow#1": { never: true } },
    signals: [],
  },
  {
    name: "a cancel",
    workflow: {
      mode: "parallel",
      steps: ["x", "y"].map((id) => ({ id, agent: id, instruction: id })),
    },
    turns: { "x#1": { never: true }, "y#1": { never: true } },
    signals: [["$cancel", { reason: "enough" }]],
  },
  {
    name: "work that an agent lost, and a step that is skipped for another's failure",
    workflow: {
      mode: "parallel",
      final: "passthrough",
      steps: [
        { id: "lost", agent: "lost", instruction: "l" },
        { id: "fails", agent: "fails", instruction: "f", on_failure: "skip", depends_on: ["lost"] },
        { id: "end", agent: "end", instruction: "e", depends_on: ["fails"] },
      ],
    },
    turns: {
      "lost#1": { ms: 500, break: new AgentError("agent.task-lost", "it was restarted") },
      "fails#1": ended({ outcome: "failed", answer: "", error: { code: "agent.failed", message: "no" } }),
    },
    signals: [],
  },
];

export function scriptOf({ turns }: Scenario): AgentScript {
  return ({ messageId }) => {
    const key = messageId.slice(messageId.indexOf("/") + 1);
    return turns[key] ?? { ms: 1_000, result: { answer: key } };
  };
}
