import { withChange, type ModelMessage } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { playbookAt } from "./playbook.ts";

const playbook = playbookAt(virtualClock(Date.UTC(2026, 10, 21)));

const RESEARCH = ["Goals", "Risks", "Budget", "Staff", "Timeline", "Partners"]
  .map((heading, i) => `## ${heading}\n- ${heading} take EUR ${i + 2} million a year. [${i + 1}]`)
  .join("\n");
const research = `## Result of step turn1.research (rag-agent, completed; citations 1, 2, 3, 4, 5, 6)\n${RESEARCH}`;

/** What is done first, or with what the tools answered, and the finish of it. */
function made(changes: readonly string[], ...results: readonly string[]) {
  const first = 'Create the presentation that was asked for: "Make a deck about AI"\nUse the findings.';
  const instruction = changes.reduce(withChange, first);
  const text = `The goal of the whole run: ${changes.at(-1)}\n\nYour task: ${instruction}\n\n${results.join("\n\n")}`;
  const tool = (name: string, said: string): readonly ModelMessage[] => [
    { role: "assistant", text: "", toolCalls: [{ callId: name, name, arguments: "{}" }] },
    { role: "tool", results: [{ callId: name, name, text: said, isError: false }] },
  ];
  const request = { system: "", tools: [], messages: [{ role: "user" as const, text }] };
  const done = [
    ...tool("powerpoint_create_presentation", "presentation_id: abcdef123456"),
    ...tool("powerpoint_add_slide", "added"),
    ...tool("powerpoint_save_presentation", "saved"),
  ];
  const end = playbook({ ...request, messages: [...request.messages, ...done] }).calls?.[0]?.arguments ?? {};
  const content = typeof end["content"] === "string" ? end["content"] : "";
  return { first: playbook(request).calls?.[0], end, content };
}

it("tells of a deck that was made shorter what is in it, and cites nothing else", () => {
  const whole = made(["for the board"], research).content;
  expect(whole.match(/\*\*\w+\*\*/g)).toHaveLength(6);
  const { content } = made(["now make it 5 slides"], research);
  // A title, three parts and the sources.
  expect(content.match(/\*\*\w+\*\*: .* \[\d\]/g)).toHaveLength(3);
  expect(content.match(/\[\d\]/g)).toHaveLength(3);
  expect(content).toContain("Left out to keep to 5 slides");
});

it.each([
  ["only for EMEA", 'Not used: filter "EMEA": no column has that value.'],
  ["by colour", 'Not used: no rule reads "colour".'],
])("makes none again that would be the one before, for %s", (change, said) => {
  const figures = `## Result of step data (data-agent, partial; charts chart-1)\n${said}\n\n## Revenue by region [chart-1]\n- Nordics leads with 37 %.`;
  const { first } = made([change], figures, research);
  expect(first).toMatchObject({ name: "finish", arguments: { is_task_complete: false } });
  expect(first?.arguments["content"]).toContain(`"${change}" could not be followed.\n${said}`);
  // What it says of other words does not hinder it.
  expect(made(["and for 2025?"], figures, research).first?.name).toBe("powerpoint_create_presentation");
  expect(made([change, "now make it 5 slides"], figures, research).first?.name).toBe(
    "powerpoint_create_presentation",
  );
});

it("leaves out the parts that are named, and says so where none is about that", () => {
  const { content, end } = made(["drop the risks", "for the board"], research);
  expect(content).toContain("**Goals**");
  expect(content).not.toContain("Risks");
  expect(end["is_task_complete"]).toBe(true);
  const charts = made(["leave out the charts"], research);
  expect(charts.content).toContain("Not used: asked since: leave out the charts.");
  expect(charts.end["is_task_complete"]).toBe(false);
});

it("has no slide for what the documents do not say", () => {
  const silent =
    '## Result of step research (rag-agent, partial; citations 1)\nThe documents do not say: "patents"\nNearest to it: Plan [1].';
  const { content, end } = made(["add a slide about patents"], silent, research);
  expect(content).not.toContain("The documents do not say");
  expect(content).toContain("Not used: step research, which came to no finding.");
  expect(end["is_task_complete"]).toBe(true);
});
