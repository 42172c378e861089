import type { JsonObject } from "@troupe/stream";
import { expect, it } from "vitest";

import type { Section } from "./read-briefing.ts";
import { slideOf } from "./slide-arguments.ts";
import { toldBy } from "./told.ts";

const TOTAL = "The hiring costs are EUR 96,500 in total.";
const SHARE = "Adverts take EUR 21,000 of them, which is more than last year.";
const section: Section = {
  step: "research",
  heading: "Costs",
  statements: [TOTAL, SHARE].map((text) => ({ text, citations: ["research/1"] })),
  charts: [],
};
const told = (...slides: readonly JsonObject[]) =>
  toldBy(
    slides.map((argument) => ({ ...slideOf(1, argument), shows: [{ section }] })),
    [section],
  ).map(({ statement }) => statement.text);
const table = (...rows: readonly (readonly string[])[]): JsonObject => ({
  kind: "table",
  title: "Costs at a glance",
  columns: ["What", "EUR"],
  rows,
  more: [{ text: TOTAL }],
});

it("tells nothing of a part whose slides have no statement of it, whatever their notes have", () => {
  expect(told(table(["Travel", "3,500"]))).toEqual([]);
  expect(told({ kind: "bullets", title: "Costs", points: [{ text: "The hiring" }] })).toEqual([]);
});

it.each<readonly [string, JsonObject, string]>([
  ["as a point", { kind: "bullets", title: "Costs", points: [{ text: TOTAL }] }, TOTAL],
  [
    "by its first clause",
    { kind: "bullets", title: "Costs", points: [{ text: "Adverts take EUR 21,000 of them" }] },
    SHARE,
  ],
  ["behind its heading", { kind: "table", title: "Costs: The hiring costs are EUR 96,500 in total" }, TOTAL],
  ["beside a chart", { kind: "chart", title: "The figures: Costs", takeaways: [{ text: SHARE }] }, SHARE],
  ["by its numbers in a table", table(["Travel", "3,500"], ["Adverts", "21,000"]), SHARE],
])("tells the first statement that a slide has %s", (_, slide, said) => {
  expect(told(table(["Travel", "3,500"]), slide)).toEqual([said]);
});
