import { expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { eventsOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { unreadFileNotes } from "./unread-files.ts";

it("tells the model and the person which files were not read", async () => {
  const model = scriptedModel([{ text: "I have not read it." }]);
  const agent = createAgent(testConfig, { model });
  const unreadFiles = [{ name: "", url: "https://example.com/a.pdf" }];
  const events = await runAgent(agent, { text: "Read it.", unreadFiles });
  const [note = ""] = unreadFileNotes(unreadFiles);
  expect(note).toMatch(/^The file https:\/\/example\.com\/a\.pdf was not read/);
  expect(model.requests[0]?.system).toContain(`- ${note}`);
  expect(eventsOf(events, "text-delta")[0]?.delta).toBe(note);
});

it("names ten files and counts the rest", () => {
  const files = Array.from({ length: 12 }, (_, index) => ({
    name: "n".repeat(500),
    url: `https://a.example/${index}`,
  }));
  const notes = unreadFileNotes(files);
  expect(notes).toHaveLength(11);
  expect(notes.at(-1)).toBe("2 more files were not read.");
  expect(notes.join("").length).toBeLessThan(4_000);
});
