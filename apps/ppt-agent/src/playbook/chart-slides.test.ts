import { describe, expect, it } from "vitest";

import { chartSlides } from "./chart-slides.ts";

const slide = (...texts: readonly string[]) =>
  chartSlides({
    step: "sales",
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

  it("is what the title leaves out where nothing else was found, no tail of its sentence", () => {
    expect(slide(LEADER)).not.toHaveProperty("takeaways");
    const last = "Drama has the highest price, 193.85; Family is last with 184.23.";
    for (const text of [LEADER.replace(/\.$/, "; Family is last with 184.23."), last])
      expect(slide(text)).toMatchObject({ takeaways: [{ text: "Family is last with 184.23." }] });
    expect(slide("Revenue rose 12 % in the north, which we had planned; so did costs.")).not.toHaveProperty(
      "takeaways",
    );
  });

  it("keeps the case of a label, which may be all that tells it from another", () => {
    expect(slide("Passau leads with 45.5 % of revenue, 100 of 220; passau is last with 10.")).toMatchObject({
      title: "Sales figures: Passau leads with 45.5 % of revenue",
      takeaways: [{ text: "passau is last with 10." }],
    });
  });

  it("is what a change in the title is reckoned from, before all else", () => {
    const grown = "Revenue rose 38.6 % from 2023 to 2025, from EUR 61.2 million to EUR 84.8 million a year.";
    const more = "Revenue in 2025 was EUR 84.8 million, up 17.0 % on EUR 72.5 million in 2024.";
    expect(slide(grown, more)).toMatchObject({
      takeaways: [{ text: "From EUR 61.2 million to EUR 84.8 million a year." }],
    });
  });

  it("is nothing where the title says it all", () => {
    expect(slide("Revenue grew 17 %.")).not.toHaveProperty("takeaways");
  });
});
