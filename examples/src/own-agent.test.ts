import { createAgent } from "@troupe/core";
import {
  eventsOf,
  fakeToolSource,
  finishCall,
  finishOf,
  runAgent,
  scriptedModel,
  toolSourceContract,
} from "@troupe/core/testing";
import { playbookModel } from "@troupe/playbook";
import { expect, it } from "vitest";

import { unitsAgent } from "../units-agent/src/index.ts";

it("calls its tool and answers with what it returned", async () => {
  const model = scriptedModel([
    {
      text: "Converting.",
      calls: [{ name: "convert_temperature", arguments: { value: 20, from: "celsius" } }],
    },
    { calls: [finishCall("20 °C is 68.0 °F.")] },
  ]);
  const agent = createAgent(unitsAgent.config, { model, tools: unitsAgent.tools ?? [] });
  const events = await runAgent(agent, { text: "How much is 20 °C in Fahrenheit?" });
  expect(eventsOf(events, "tool-end")).toMatchObject([{ status: "ok", summary: "20 °C is 68.0 °F." }]);
  expect(finishOf(events)).toMatchObject({
    outcome: "completed",
    response: { content: "20 °C is 68.0 °F." },
  });
  model.assertDone();
});

it.each([
  ["How much is 68 F in Celsius?", "completed", "68 °F is 20.0 °C."],
  ["Is it warm outside?", "partial", "There is no temperature in this, such as 20 °C."],
])("follows its playbook without a model: %s", async (text, outcome, content) => {
  const model = playbookModel(unitsAgent.playbook);
  const agent = createAgent(unitsAgent.config, { model, tools: unitsAgent.tools ?? [] });
  expect(finishOf(await runAgent(agent, { text }))).toMatchObject({ outcome, response: { content } });
});

toolSourceContract("units", () =>
  Promise.resolve({
    source: fakeToolSource("units", unitsAgent.tools ?? []),
    tool: "convert_temperature",
    accepts: { args: { value: 20, from: "celsius" }, text: "68.0 °F" },
    rejects: { value: "warm" },
  }),
);
