import type { ChartKind, ChartSpec, Citation } from "@troupe/stream";

import { deckSpecSchema, type DeckSpec } from "../spec/deck-spec.ts";

/** A citation of the example company, for tests and trials. */
export function sampleCitation(
  id: string,
  page: number | undefined,
  quote: string,
  document = "AI Strategy 2026",
): Citation {
  return {
    id,
    document,
    source: `documents/${document.toLowerCase().replaceAll(" ", "-")}.pdf`,
    ...(page === undefined ? {} : { page }),
    collection: "norrvik",
    chunkId: `${document}#${page ?? 0}`,
    quote,
    start: Number(id) * 100,
    end: Number(id) * 100 + quote.length,
  };
}

const QUARTERS = ["2025-Q1", "2025-Q2", "2025-Q3", "2025-Q4", "2026-Q1", "2026-Q2"];

/** A chart of each kind over the same quarterly sales; every number has digits that a rounding would lose. */
export function sampleChart(kind: ChartKind): ChartSpec {
  const scatter = kind === "scatter";
  return {
    v: 1,
    id: `chart-${kind}`,
    kind,
    title: scatter ? "Unit price against units sold" : "Quarterly revenue",
    ...(kind === "number"
      ? {}
      : {
          x: scatter
            ? { field: "price", label: "Unit price", type: "number" as const, unit: "EUR" }
            : { field: "quarter", label: "Quarter", type: "category" as const },
        }),
    series: [{ field: "revenue", label: "Revenue", type: "number", unit: "EUR" }],
    rows: QUARTERS.slice(0, kind === "number" ? 1 : undefined).map((quarter, i) => ({
      quarter,
      price: 410.25 + i * 55.5,
      revenue: 3_912_345.67 + i * 412_345.123_456 - (i === 3 ? 900_000.5 : 0),
    })),
    provenance: {
      resultId: "r1",
      query: "SELECT quarter, sum(amount) AS revenue FROM sales GROUP BY 1",
      source: "sales.csv",
    },
  };
}

/** One slide of every kind, as an agent would write them for the example company. */
export function sampleDeck(): DeckSpec {
  const strategy = sampleCitation(
    "1",
    4,
    "Predictive calibration cuts field visits by 38 % in the pilot regions.",
  );
  const roadmap = sampleCitation("2", 9, "The rollout reaches all Nordic customers by the end of 2026.");
  const board = sampleCitation(
    "3",
    2,
    "The board approved EUR 4.2 million for the programme.",
    "Board Paper March 2026",
  );
  const policy = sampleCitation("4", undefined, "No customer data leaves the EU.", "Data Policy");
  return deckSpecSchema.parse({
    v: 1,
    title: "AI strategy and sales at Norrvik Instruments",
    author: "Troupe",
    company: "Norrvik Instruments AB",
    slides: [
      {
        kind: "title",
        title: "AI strategy and sales at Norrvik Instruments",
        subtitle: "What we are building, what it returns, and what we need to decide",
        author: "Management team",
        date: "November 2026",
      },
      {
        kind: "agenda",
        title: "Agenda",
        items: ["Where AI pays off", "Sales development", "Risks and safeguards", "Decisions"],
      },
      { kind: "section", title: "Where AI pays off", subtitle: "Three programmes, one platform" },
      {
        kind: "bullets",
        title: "Predictive calibration is the strongest case",
        points: [
          { text: "Field visits fall by more than a third in pilot regions", sources: [strategy] },
          { text: "Rollout: all Nordic customers by the end of 2026", sources: [roadmap] },
          { text: "Funding is approved and covers the first two years", sources: [board] },
        ],
      },
      {
        kind: "bullets",
        title: "The pilot in three numbers",
        points: [
          { text: "38% fewer field visits", sources: [strategy] },
          { text: "€4.2M approved by the board", sources: [board] },
          { text: "12 countries in scope", sources: [roadmap] },
        ],
      },
      {
        kind: "two-columns",
        title: "What changes for service and for customers",
        left: {
          heading: "Service",
          points: [
            "Visits planned from sensor drift",
            { text: "Fewer emergency trips", sources: [strategy] },
          ],
        },
        right: {
          heading: "Customers",
          points: ["Fewer false alarms", { text: "Data stays in the EU", sources: [policy] }],
        },
      },
      {
        kind: "chart",
        title: "Revenue grows every quarter but one",
        chart: sampleChart("column"),
        takeaways: [
          "Best quarter: 2026-Q2",
          { text: "The dip in 2025-Q4 follows the price change", sources: [board] },
        ],
      },
      {
        kind: "table",
        title: "Sales by region",
        columns: ["Region", "Revenue, EUR", "Share", "Change"],
        rows: [
          ["Sweden", 9_812_345.5, "38 %", "+12 %"],
          ["Norway", 6_120_400, "24 %", "+7 %"],
          ["Finland", 5_480_120, "21 %", "−2 %"],
          ["Denmark", 4_410_000, "17 %", "+4 %"],
        ],
      },
      {
        kind: "quote",
        title: "The people in the field see it first",
        quote: "Predictive calibration cuts field visits by 38 % in the pilot regions.",
        by: "AI Strategy 2026",
        sources: [strategy],
      },
      {
        kind: "bullets",
        title: "One open question",
        points: [{ text: "Who owns the model once the pilot ends?", sources: [roadmap] }],
      },
      {
        kind: "closing",
        title: "Decisions needed today",
        points: ["Name an owner for the model", "Release the second half of the budget"],
        contact: "strategy@norrvik.example",
      },
    ],
  });
}
