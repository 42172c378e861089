import { describe, expect, it } from "vitest";

import { planBasis } from "./plan-basis.ts";

const NOW = Date.UTC(2026, 10, 21);
const table = (dates: readonly string[], published?: string) => ({
  columns: ["Date", "Step"],
  rows: dates.map((date) => [date, "Pumps run"]),
  citations: [],
  ...(published === undefined ? {} : { published }),
});
const titleOf = (dates: readonly string[], published?: string, heading = "Timeline") =>
  planBasis(heading, table(dates, published), NOW)?.title;

describe("what a plan is based on", () => {
  it("is the document's date where dates have passed that were to come then", () => {
    expect(titleOf(["1 May 2026", "June 2027"], "2026-01-22")).toBe("(plan of January 2026)");
    expect(titleOf(["1 May 2026"], "2026-01")).toBe("(plan of January 2026)");
    expect(titleOf(["1 May 2026"], "2026-01-22", "Hiring plan")).toBe("(as of January 2026)");
    expect(planBasis("Timeline", table(["1 May 2026", "June 2027"], "2026-01-22"), NOW)?.notes).toBe(
      "These are the dates of the plan of 22 January 2026. 1 of 2 lie before 21 November 2026; the findings do not say whether they were kept.",
    );
  });

  it("is not said of dates that no heading or column calls a plan, nor without the document's date", () => {
    const dates = ["1 May 2026", "June 2027"];
    expect(titleOf(dates, "2025-12-01", "Public holidays")).toBeUndefined();
    expect(titleOf(dates, "2026-01-22", "Planetary days")).toBeUndefined();
    expect(titleOf(dates)).toBeUndefined();
    const steps = { ...table(dates, "2026-01-22"), columns: ["Date", "Milestone"] };
    expect(planBasis("Pumps", steps, NOW)?.title).toBe("(plan of January 2026)");
  });

  it("is not said of what is all to come, of what had happened, or without dates", () => {
    expect(titleOf(["June 2027"], "2026-01-22")).toBeUndefined();
    expect(titleOf(["1 May 2024", "1 May 2025"], "2026-01-22")).toBeUndefined();
    expect(titleOf(["Soon", "1 May 2026"], "2026-01-22")).toBeUndefined();
  });
});
