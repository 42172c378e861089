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
  const created = tool("powerpoint_create_presentation", "presentation_id: abcdef123456");
  const adding = playbook({ ...request, messages: [...request.messages, ...created] }).calls ?? [];
  const slides = adding.map(({ arguments: { slide } }) => slide);
  const done = [
    ...created,
    ...tool("powerpoint_add_slide", "added"),
    ...tool("powerpoint_save_presentation", "saved"),
  ];
  const end = playbook({ ...request, messages: [...request.messages, ...done] }).calls?.[0]?.arguments ?? {};
  const content = typeof end["content"] === "string" ? end["content"] : "";
  return { first: playbook(request).calls?.[0], slides, end, content };
}

it("tells of a deck that was made shorter what is in it, and cites nothing else", () => {
  const whole = made(["for the board"], research).content;
  expect(whole.match(/\*\*\w+\*\*/g)).toHaveLength(6);
  const { content } = made(["now make it 5 slides"], research);
  // A title, three parts and the sources.
  expect(content.match(/\*\*\w+\*\*: .* \[\d\]/g)).toHaveLength(3);
  expect(content.match(/\[\d\]/g)).toHaveLength(3);
  expect(content).toContain("Limited to 5 slides:");
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
    '## Result of step research (rag-agent, partial; citations 1)\nNo sentence found that answers: "patents"\nNearest to it: Plan [1].';
  const { content, end } = made(["add a slide about patents"], silent, research);
  expect(content).not.toContain("No sentence found");
  expect(content).toContain("Not used: step research, which came to no finding.");
  expect(end["is_task_complete"]).toBe(true);
});

const SALES = ["quarter", "region", "product"]
  .map((by, i) => `## Revenue by ${by} [chart-${i + 1}]\n- Revenue by ${by} rose by ${i + 4} %.`)
  .join("\n");
const sales = (step: string) =>
  `## Result of step ${step} (data-agent, completed; charts chart-1, chart-2, chart-3)\n${SALES}`;
const travel = (step: string) =>
  `## Result of step ${step} (rag-agent, completed; citations 1, 2)\n## Trips\n- Managers approve every trip. [1]\n## Claims\n- Claims are paid in 30 days. [2]`;
const kinds = (slides: readonly unknown[]) =>
  slides.map((slide) => (slide as { readonly kind: string }).kind);

it("keeps to its limit with other figures, and keeps a slide of what the documents said", () => {
  const total =
    "(data-agent, completed; charts chart-1, chart-2, chart-3, chart-4)\n## Revenue in 2024 [chart-4]\n- Revenue is EUR 7.";
  const figures = sales("data").replace(/\(.+\)/, total);
  const { slides, content, end } = made(["now make it 5 slides", "and for 2024?"], figures, research);
  expect(slides).toHaveLength(5);
  expect(kinds(slides).toSorted()).toEqual(["bullets", "bullets", "chart", "sources", "title"]);
  // Not the bare total.
  expect(slides).toContainEqual(expect.objectContaining({ chart: { step: "data", id: "chart-1" } }));
  expect(content).toContain("Limited to 5 slides:");
  expect(end["is_task_complete"]).toBe(true);
});

it("has a slide of each thing that was added, beside what it had", () => {
  const changes = ["now make it 5 slides", "add the sales figures", "add a slide about the travel policy"];
  const { slides, content, end } = made(changes, travel("research"), sales("turn3.data"), research);
  expect(slides).toHaveLength(7);
  expect(slides).toContainEqual(expect.objectContaining({ title: "Trips" }));
  expect(kinds(slides).filter((kind) => kind === "chart")).toHaveLength(1);
  expect(kinds(slides).at(-1)).toBe("sources");
  expect(content).toContain("**Trips**: Managers approve every trip.");
  expect(end["is_task_complete"]).toBe(true);
  // It stays with what is asked later.
  const later = made([...changes, "for the board"], travel("turn4.research"), sales("turn3.data"), research);
  expect(later.slides).toContainEqual(expect.objectContaining({ title: "Trips" }));
});

it("says what was added has no slide, and is then a part of what was asked", () => {
  const changes = ["now make it 3 slides", "what about Norway?"];
  const { slides, content, end } = made(changes, travel("research"), sales("data"), research);
  expect(kinds(slides)).toEqual(["title", "bullets", "sources"]);
  expect(content).toContain("Not used: Revenue by quarter, for which no slide is left.");
  expect(content).not.toContain("Not used: Trips");
  expect(end["is_task_complete"]).toBe(false);
});

it("counts the list of sources of figures alone among its slides", () => {
  const { slides } = made(["now make it 3 slides"], sales("turn1.data"));
  expect(kinds(slides)).toEqual(["title", "chart", "sources"]);
});
