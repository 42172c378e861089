import { createAgent, defineTool } from "@troupe/core";
import { fakeToolSource, finishCall, runAgent, scriptedModel, testConfig } from "@troupe/core/testing";
import { expect, it } from "vitest";
import { z } from "zod";

import { showOnce } from "./show-once.ts";

const PASSAGE = "Trains are taken for journeys under six hours, and flights need the word of a manager.";
const OTHER =
  "Meals are paid up to the daily rate of the country that the night is spent in, receipts or not.";

/** A search as rag-mcp answers it, with ids of its own each time. */
function search() {
  let calls = 0;
  return defineTool({
    name: "rag_search",
    description: "Finds passages.",
    input: z.object({ query: z.string() }),
    output: { citations: true },
    idempotent: true,
    execute: async ({ query }) => {
      calls++;
      const texts = query === "meals" ? [PASSAGE, OTHER] : [PASSAGE];
      const citations = texts.map((text, at) => ({
        id: `c${calls}-${at}`,
        document: "Policy",
        source: "policy.md",
        collection: "docs",
        chunkId: text.slice(0, 5),
        quote: text,
        start: 0,
        end: text.length,
      }));
      const blocks = citations.map(
        ({ id, quote }) => `[${id}] Policy, policy.md\nOUTDATED: see another.\n> ${quote}\n> Really.`,
      );
      return { text: ["2 passages found.", ...blocks].join("\n\n"), citations };
    },
  });
}

async function resultsOf(queries: readonly string[], together = false) {
  const calls = queries.map((query) => ({ name: "rag_search", arguments: { query } }));
  const rounds = together ? [{ calls }] : calls.map((call) => ({ calls: [call] }));
  const model = scriptedModel([...rounds, { calls: [finishCall("By train [1].")] }]);
  await runAgent(
    createAgent(testConfig, { model, toolSources: [showOnce(fakeToolSource("rag", [search()]))] }),
  );
  return (model.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === "tool" ? message.results.map(({ text }) => text) : [],
  );
}

it("quotes a passage once over several searches, and names it by its number after that", async () => {
  const [first, second] = await resultsOf(["trains", "meals"]);
  expect(first).toContain(`[1] Policy, policy.md\nOUTDATED: see another.\n> ${PASSAGE}`);
  expect(second).toContain("[1] Policy, policy.md\nOUTDATED: see another.\nShown above under this number.");
  expect(second).not.toContain(PASSAGE);
  expect(second).toContain(`[2] Policy, policy.md\nOUTDATED: see another.\n> ${OTHER}`);
});

it("quotes it in each of two searches of one round, whose results come together", async () => {
  for (const text of await resultsOf(["trains", "meals"], true)) expect(text).toContain(PASSAGE);
});
