import { describe, expect, it } from "vitest";

import { chartSlides } from "./chart-slides.ts";

const slide = (...texts: readonly string[]) =>
  chartSlides({
    heading: "Revenue by region in 2025",
    statements: texts.map((text) => ({ text, citations: [] })),
    charts: ["sales/chart-1"],
  })[0]?.argument;
const LEADER = "Nordics leads with 37.0 % of revenue, EUR 31 million of EUR 85 million.";

describe("what stands beside a chart", () => {
  it("is what else was found, in whole sentences", () => {
    expect(slide(LEADER, "Nordics, DACH and Benelux together make 74 %.")).toMatchObject({
      title: "Sales figures: Nordics leads with 37.0 % of revenue",
      takeaways: [{ text: "Nordics, DACH and Benelux together make 74 %." }],
    });
  });

  it("is what the title leaves out where nothing else was found", () => {
    expect(slide(LEADER)).toMatchObject({ takeaways: [{ text: "EUR 31 million of EUR 85 million." }] });
  });

  it("is nothing where the title says it all", () => {
    expect(slide("Revenue grew 17 %.")).not.toHaveProperty("takeaways");
  });
});
