import { createAgent, type Tool } from "@troupe/core";
import { echoTool, finishOf, runAgent, scriptedModel, testConfig, virtualClock } from "@troupe/core/testing";
import { expect, test } from "vitest";

import { answerCheck } from "./answer-check.ts";
import { citation } from "./testing/evidence.ts";

async function handedOver(tool: Tool) {
  const call = { calls: [{ name: tool.definition.name, arguments: { text: "x" } }] };
  const agent = createAgent(
    { ...testConfig, max_iterations: 2 },
    {
      model: scriptedModel([call, call]),
      tools: [tool],
      clock: virtualClock(),
      newId: () => "id-1",
      answerCheck,
    },
  );
  return finishOf(await runAgent(agent)).response;
}

test("passages that a run hands over without an answer have no findings", async () => {
  const texts = [
    `The regatta saw 412 boats. "We are proud", said Anna Holm [3]. ${"Prizes of EUR 12,500 were given. ".repeat(8)}`,
    `| No. | Measure | Owner |\n|---|---|---|\n| 1 | Units are stored | Piotr Zielinski |\n${"| 2 | Tests of 5 % | Elin Dahl |\n".repeat(9)}`,
    `„Das ist viel“, sagt Herr Müller. ${"Der Preis stieg um 3,4 % auf 1.450 €. ".repeat(8)}`,
  ];
  const citations = texts.map((text, at) => ({
    ...citation({ id: `${at + 1}`, document: `Report ${at + 1}`, text }),
    source: `docs/report-${at + 1}.v2.md`,
  }));
  const { content, checks } = await handedOver(echoTool("search", (text) => ({ text, citations })));
  expect(content).toContain("This was found");
  expect(checks?.map(({ status }) => status)).toEqual(["verified", "verified", "verified"]);
});

test("tool results that a run hands over are not checked", async () => {
  const table = { id: "result-1", columns: ["region", "revenue"], rows: [["North", 4.5]] };
  const text = `${"| North | 4.5 |\n".repeat(30)}Totals of [result-1]`;
  const { content, checks } = await handedOver(echoTool("sql_query", () => ({ text, tables: [table] })));
  expect(content).toContain("sql_query: | North | 4.5 |");
  expect(checks).toEqual([]);
});
