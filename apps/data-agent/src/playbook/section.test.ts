import { describe, expect, it } from "vitest";

import { section } from "./section.ts";

const ROWS = {
  note: "",
  partial: [],
  rows: "9 rows",
  resultId: "r-1",
  source: "sales.csv",
  count: 2,
} as const;
const found = (title: string, finding: string): string | undefined =>
  section({ ...ROWS, title, text: "" }, undefined, {
    callId: "c-1",
    name: "analyze",
    arguments: {},
    isError: false,
    text: `2 rows\nFindings:\n- ${finding}\n`,
  })
    .text.split("\n")
    .find((line) => line.startsWith("- "));

describe("a finding that stands alone", () => {
  it.each([
    [
      "Top 10 products by revenue in 2025",
      "Foresight leads by revenue with EUR 2.",
      "- Foresight leads by revenue in 2025 with EUR 2.",
    ],
    [
      "Revenue by region in 2025",
      "North leads with 60.0 % of revenue, 6 of 10.",
      "- North leads with 60.0 % of revenue in 2025, 6 of 10.",
    ],
    [
      "Revenue (DACH) by segment in 2024",
      "Utility leads with 60.0 % of revenue.",
      "- Utility leads with 60.0 % of revenue (DACH) in 2024.",
    ],
    [
      "Growth of revenue (DACH) by year",
      "Revenue rose 5.0 % from 2023 to 2025.",
      "- Revenue (DACH) rose 5.0 % from 2023 to 2025.",
    ],
    [
      "Revenue by quarter",
      "Revenue rose 5.0 % from 2023 to 2025.",
      "- Revenue rose 5.0 % from 2023 to 2025.",
    ],
    ["Revenue (DACH, UK) by month in 2025", "Revenue is EUR 3.", "- Revenue (DACH, UK) in 2025 is EUR 3."],
    ["Revenue by month in 2025", "Revenue in 2025 was EUR 3.", "- Revenue in 2025 was EUR 3."],
  ])("under %s", (title, finding, told) => {
    expect(found(title, finding)).toBe(told);
  });
});
