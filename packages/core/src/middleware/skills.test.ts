import { expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { eventsOf, finishCall, finishOf, runAgent, scriptedModel } from "../testing/index.ts";
import { skills, type Skill } from "./skills.ts";

const files: { readonly [name: string]: string } = { "letterhead.md": "Norrvik AS" };
const letters: Skill = {
  name: "letters",
  description: "How we write\n letters.",
  instructions: "Begin with the letterhead.",
  files: Object.keys(files),
  readFile: async (name) => files[name] ?? "",
};
const config = {
  agent_type: "writer",
  name: "writer",
  title: "W",
  description: "W.",
  system_prompt: "Write.",
};
const call = (name: string, args: { readonly [key: string]: string }) => ({ name, arguments: args });

it("shows the model names and descriptions, and hands out instructions and files when asked", async () => {
  const model = scriptedModel([
    { calls: [call("load_skill", { name: "letters" })] },
    { calls: [call("read_skill_file", { skill: "letters", file: "letterhead.md" })] },
    { calls: [finishCall("Norrvik AS: Dear Ann")] },
  ]);
  const agent = createAgent(config, { model, middleware: [skills([letters])] });
  const events = await runAgent(agent, { text: "Write to Ann." });
  expect(finishOf(events).outcome).toBe("completed");
  const [first, second, third] = model.requests;
  expect(first?.system).toMatch(/Write\.[\s\S]*\n- letters: How we write letters\.$/);
  expect(JSON.stringify(first)).not.toContain("Begin with the letterhead");
  expect(JSON.stringify(second?.messages)).toContain("Begin with the letterhead.");
  expect(JSON.stringify(second?.messages)).toContain("- letterhead.md");
  expect(JSON.stringify(third?.messages)).toContain("Norrvik AS");
});

it("reads no file that it does not list, and names those it has", async () => {
  const read = async (): Promise<string> => Promise.reject(new Error("was read"));
  const model = scriptedModel([
    {
      calls: [
        call("load_skill", { name: "leters" }),
        call("read_skill_file", { skill: "letters", file: "../letterhead.md" }),
      ],
    },
    { calls: [finishCall("Neither.")] },
  ]);
  const agent = createAgent(config, { model, middleware: [skills([{ ...letters, readFile: read }])] });
  const ended = eventsOf(await runAgent(agent, { text: "Write." }), "tool-end");
  expect(ended.map(({ status }) => status)).toEqual(["error", "error"]);
  const told = JSON.stringify(model.requests[1]?.messages);
  expect(told).toContain('There is no skill \\"leters\\". Did you mean \\"letters\\"?');
  expect(told).toContain('has no file \\"../letterhead.md\\". Did you mean \\"letterhead.md\\"?');
});

it("adds nothing where there are no skills", async () => {
  const model = scriptedModel([{ calls: [finishCall("Done.")] }]);
  await runAgent(createAgent(config, { model, middleware: [skills([])] }), { text: "Write." });
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["finish"]);
});
