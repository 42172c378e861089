import type { SlideInput } from "@troupe/deck";
import type { ChartSpec, Citation } from "@troupe/stream";

let at = 0;

/** A passage as a search shows it. */
function passage(document: string, section: string, text: string): Citation {
  at += 1_000;
  return {
    id: String(at / 1_000),
    document,
    source: `${document.toLowerCase().replaceAll(" ", "-")}.md`,
    section,
    collection: "norrvik",
    chunkId: `${document}#${at}`,
    quote: text.slice(0, 80),
    passage: text,
    start: at,
    end: at + 80,
  };
}

const happened = passage(
  "Incident review, false alarms of 14 June 2025",
  "What happened",
  "On Saturday 14 June 2025, Foresight sent 412 false alarms for nitrate to 63 stations of 38 customers. The alarms began at 01.50 and ended at 09.30, after seven hours and 40 minutes. No real event happened at these stations that night, and no real warning was lost.",
);
const why = passage(
  "Incident review, false alarms of 14 June 2025",
  "Direct cause",
  "Version 1.8.2 read nitrate from a new source in milligrams of nitrate, while the model expects milligrams of nitrogen. The two differ by a factor of 4.43.",
);
const cost = passage(
  "Incident review, false alarms of 14 June 2025",
  "What it cost",
  "The incident cost Norrvik EUR 64,000. Credits to customers made up EUR 41,000, night trips of operators EUR 9,000, and work in the following weeks EUR 14,000. Two customers paused Foresight; one came back in September 2025.",
);
const measures = passage(
  "Incident review, false alarms of 14 June 2025",
  "What we change",
  `| No. | Measure | Owner | Due | State on 3 July 2025 |
| --- | --- | --- | --- | --- |
| 1 | Units are stored with every value and checked on reading | Piotr Zielinski | 31 August 2025 | Begun |
| 2 | New versions go to 5 percent of stations for 48 hours first | Elin Dahl | 31 July 2025 | Begun |
| 3 | No release after 12.00 on Thursday | Henrik Aalto | 16 June 2025 | Done |
| 4 | The alarm rate pages the duty officer at three times the usual value | Tobias Krüger | 15 July 2025 | Begun |
| 5 | Three tickets on one subject within an hour become an incident | Claire Donnelly | 30 June 2025 | Done |
| 6 | Test data cover every source in use | Dr Jonna Ek | 30 September 2025 | Open |

Measure 2 is the most important one. With it, three stations would have rung instead of 63.`,
);
const price = passage(
  "Foresight pricing FAQ",
  "What does Foresight cost?",
  "The list price of Foresight is EUR 1,450 per station and year. The list price has not changed since the launch in 2024.",
);
const index = passage(
  "Foresight pricing FAQ",
  "Why does the invoice show a higher figure?",
  "Contracts follow an index of three percent of the list price for each year after 2023. A station-year bought in 2025 therefore costs EUR 1,537, and one bought in 2026 costs EUR 1,580.50.",
);
const trials = passage(
  "Foresight pricing FAQ",
  "Is there a trial?",
  "A customer can try Foresight on up to two stations for 60 days, once. The trial ends by itself, and no invoice follows. In 2025, 118 trials were started and 71 of them became orders.",
);
const discounts = passage(
  "Foresight pricing FAQ",
  "Are there discounts?",
  `Sales may give 3, 6, 9 or 12 percent. No discount above 12 percent is given, and nobody at Norrvik can approve one for a single customer. In 2025 one order line in four carried a discount.

| Discount | When |
| --- | --- |
| 3 % | Payment for two years in advance |
| 6 % | From 20 stations |
| 9 % | From 40 stations |
| 12 % | From 60 stations, or tender with fixed rules |`,
);
const support = passage(
  "Foresight product notes",
  "Support figures for 2025",
  "The support team answered 3,870 tickets about Foresight in 2025, half of them within 41 minutes. Every fourth ticket concerned an alarm without an event. Twelve percent asked how to change a telephone number, which version 1.12 will finally make simple.",
);
const next = passage(
  "Foresight product notes",
  "What will be new for users",
  "Forecasts reach up to 72 hours instead of 48. Algae becomes the fourth parameter; a Chlorophyll C1 probe is needed for it. A new site learns for 30 days and shows its forecasts in grey during that time.",
);
const editions = passage(
  "Foresight product notes",
  "Editions",
  `| | Foresight | Foresight Enterprise |
| --- | --- | --- |
| Stations | 1 to 99 | From 100 |
| Model version | Newest | Fixed for 12 months on request |
| Support | Weekdays 07.00 to 18.00 | Day and night |

Foresight Enterprise has been on sale since September 2025. Eleven customers had signed by the end of January 2026.`,
);
const westerau = passage(
  "Customer interviews 2025, notes",
  "1. Westerau Water, Germany",
  `Talked with: head of operations. Ten stations, customer since 2022. 9 September 2025.

Now they fill the reservoirs the evening before, with cheap power at night, and save about EUR 2,300 in a month with heavy rain.

> "I don't need to know what the model thinks. I need to know whether I can go to bed."`,
);
const talks = passage(
  "Customer interviews 2025, notes",
  "What we take from all fourteen talks",
  `1. Customers forgive a missed event sooner than a string of false ones; nine of 14 said so unasked.
2. A reason in plain words counts for more than another hour of lead time.
3. Industry wants fewer versions, and utilities want the newest one.`,
);
const notice = passage(
  "AI Steering Group, minutes October 2025 to January 2026",
  "Notice to Tideline Analytics",
  "Maria Östberg will tell Tideline in writing that Norrvik does not renew. The notice must arrive by 30 June 2026. Mattias Lindqvist asked for a clause that allows six more months if needed, and Tideline has agreed to it orally.",
);

const revenue: ChartSpec = {
  v: 1,
  id: "chart-1",
  kind: "column",
  title: "Foresight revenue by half-year",
  x: { field: "half", label: "Half-year", type: "category" },
  series: [{ field: "revenue", label: "Revenue", type: "number", unit: "EUR" }],
  rows: [
    { half: "2024-H1", revenue: 1_912_400 },
    { half: "2024-H2", revenue: 2_741_320.5 },
    { half: "2025-H1", revenue: 5_102_880 },
    { half: "2025-H2", revenue: 6_286_274.63 },
  ],
  provenance: {
    resultId: "r1",
    query: "SELECT half, sum(revenue) FROM sales GROUP BY 1",
    source: "sales.csv",
  },
};

/** Fifteen slides as a model writes them; everything they state is in their sources. */
export const longDeck: readonly SlideInput[] = [
  {
    kind: "title",
    title: "Foresight: where we stand",
    subtitle: "Board meeting, January 2026",
    date: "22 January 2026",
  },
  {
    kind: "bullets",
    title: "In short: revenue doubled, one night cost trust",
    points: [
      { figure: "+145 %", text: "Foresight revenue, 2025 on 2024" },
      { figure: "412", text: "false alarms in one night" },
      { figure: "EUR 64,000", text: "cost of the incident" },
      "Six measures; two were done by 3 July 2025",
    ],
  },
  {
    kind: "agenda",
    title: "Agenda",
    items: ["Revenue", "The Night of 14 June", "Prices and trials", "Next steps"],
  },
  { kind: "section", title: "Revenue" },
  {
    kind: "chart",
    title: "Foresight revenue rose from EUR 4.65 million to EUR 11.39 million",
    chart: revenue,
    takeaways: [{ text: "The second half of 2025 alone brought EUR 6.3 million" }],
    more: ["2025: EUR 11.39 million, 144.7 % more than in 2024"],
    notes: "Say first that 2024 was the first year. Then show the growth of EUR 6.74 million.",
  },
  {
    kind: "bullets",
    title: "Six in ten trials become orders",
    points: [
      { figure: "71 of 118", text: "trials of 2025 became orders", sources: [trials] },
      { text: "A trial: two stations at most, 60 days, once", sources: [trials] },
      { text: "One order line in four had a discount", sources: [discounts] },
    ],
  },
  {
    kind: "table",
    title: "Discounts Depend on the Number of Stations",
    columns: ["Discount", "When"],
    rows: [
      ["3 %", "Two years in advance"],
      ["6 %", "From 20 stations"],
      ["9 %", "From 40 stations"],
      ["12 %", "From 60 stations, or tender"],
    ],
    sources: [discounts],
    notes: "Four steps; no discount above 12 percent.",
  },
  {
    kind: "two-columns",
    title: "Two prices: the list and the index",
    left: {
      heading: "List price",
      points: [{ text: "EUR 1,450 per station and year, unchanged since 2024", sources: [price] }],
    },
    right: {
      heading: "With index, 2026",
      points: [
        { text: "EUR 1,580.50, up from EUR 1,537 in 2025", sources: [index] },
        { text: "EUR 130.50 above the list price", sources: [price, index] },
      ],
    },
  },
  { kind: "section", title: "The night of 14 June 2025", subtitle: "412 false alarms at 63 stations" },
  {
    kind: "bullets",
    title: "A wrong unit sent 412 false alarms to 38 customers",
    points: [
      { text: "Cause: nitrate read as nitrogen, a factor of 4.43", sources: [why] },
      { text: "Length: seven hours and 40 minutes, 01:50 to 09:30", sources: [happened] },
      { text: "Loss: no real warning", sources: [happened] },
    ],
    more: [{ text: "Each of the 63 stations rang between 01.50 and 09.30.", sources: [happened] }],
  },
  {
    kind: "table",
    title: "The incident cost EUR 64,000",
    columns: ["What", "EUR", "Share"],
    rows: [
      ["Credits to customers", 41_000, "64 %"],
      ["Work in the following weeks", 14_000, "22 %"],
      ["Night trips of operators", 9_000, "14 %"],
      ["Total", 64_000, "100 %"],
    ],
    sources: [cost],
  },
  {
    kind: "table",
    title: "Six measures, each with an owner (1/2)",
    columns: ["Measure", "Owner", "Due", "State"],
    rows: [
      ["Units checked on reading", "Piotr Zielinski", "31 August 2025", "Begun"],
      ["5 % of stations first, for 48 hours", "Elin Dahl", "31 July 2025", "Begun"],
      ["No release after 12.00 on Thursday", "Henrik Aalto", "16 June 2025", "Done"],
      ["Alarm rate pages the duty officer", "Tobias Krüger", "15 July 2025", "Begun"],
      ["Three tickets make an incident", "Claire Donnelly", "30 June 2025", "Done"],
      ["Test data for every source", "Dr Jonna Ek", "30 Sep 2025", "Open"],
    ],
    sources: [measures],
    notes: "Two of six are done.\nWith measure 2, three stations would have rung instead of 63.",
  },
  {
    kind: "quote",
    title: "What customers want",
    quote: "I don’t need to know what the model thinks. I need to know whether I can go to bed.",
    by: "Head of operations, Westerau Water",
    sources: [westerau],
  },
  {
    kind: "bullets",
    title: "The next version forecasts 72 hours instead of 48",
    points: [
      { text: "Algae is the fourth parameter", sources: [next] },
      { text: "Nine of 14 customers forgive a missed event sooner than false ones", sources: [talks] },
      { text: "Eleven customers signed for Foresight Enterprise by January 2026", sources: [editions] },
      { text: "3,870 tickets in 2025, half answered within 41 minutes", sources: [support] },
    ],
  },
  {
    kind: "closing",
    title: "Three decisions for the Board",
    points: [
      { text: "Notice to Tideline by 30 June 2026", sources: [notice] },
      "Keep the price: EUR 1,450",
      "Finish the measures of 14 June",
    ],
    contact: "Amina Rahimi",
  },
  { kind: "sources", title: "Sources" },
];
