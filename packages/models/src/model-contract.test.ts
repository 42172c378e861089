import { modelContract, type ModelScenario } from "@troupe/core/testing";

import { adapters } from "./calls/adapters.test-bench.ts";
import type { FakeReply } from "./testing/index.ts";

/** Larger than any text here, so that a text is one event. */
const WHOLE = 1000;

/** What differs on the wire; `throughText` counts the events up to the first text, it included. */
const DIALECTS = {
  anthropic: { throughText: 3, limit: "max_tokens", refusal: "refusal" },
  "openai-compatible": { throughText: 2, limit: "length", refusal: "content_filter" },
} as const;
type Dialect = (typeof DIALECTS)[keyof typeof DIALECTS];

for (const { name, startFake, model } of adapters) {
  modelContract(name, {
    async make(scenario) {
      const server = await startFake({
        replies: [replyTo(scenario, DIALECTS[name])],
        ...(scenario.kind === "auth" ? { apiKey: "another key" } : {}),
      });
      return { model: model(server), close: () => server.close() };
    },
  });
}

function replyTo(scenario: ModelScenario, dialect: Dialect): FakeReply {
  switch (scenario.kind) {
    case "text":
      return { blocks: [{ type: "text", text: scenario.pieces.join("") }], split: 3 };
    case "calls":
      return {
        blocks: [
          { type: "text", text: scenario.text },
          ...scenario.calls.map(({ name, pieces }, at) => ({
            type: "tool-call" as const,
            id: `call-${at}`,
            name,
            arguments: pieces.join(""),
          })),
        ],
        split: [5, 2],
        interleave: true,
      };
    case "broken":
      return {
        blocks: [{ type: "text", text: scenario.text }],
        split: WHOLE,
        breakAfter: dialect.throughText,
      };
    case "stalled":
      return {
        blocks: [{ type: "text", text: scenario.text }],
        split: WHOLE,
        stallAfter: dialect.throughText,
      };
    case "max-tokens":
      return { blocks: [{ type: "text", text: scenario.text }], stop: dialect.limit };
    case "refusal":
      return { blocks: [], stop: dialect.refusal };
    default:
      return { blocks: [] };
  }
}
