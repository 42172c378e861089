import { describe, expect, test } from "vitest";

import { deckSpecSchema } from "../spec/deck-spec.ts";
import type { SlideInput } from "../spec/slide-schema.ts";
import { sampleChart, sampleCitation } from "../testing/samples.ts";
import type { Element, LaidSlide, TableElement } from "./element.ts";
import { linesOf, textHeight } from "./fit.ts";
import { layoutDeck } from "./layout-deck.ts";
import { SOURCE_LINE } from "./names.ts";

const lay = (...slides: SlideInput[]): readonly LaidSlide[] =>
  layoutDeck(deckSpecSchema.parse({ v: 1, title: "Deck", slides })).slides;

const { page: _, ...headed } = sampleCitation("1", 4, "q");

const bullets = (...points: string[]): LaidSlide | undefined =>
  lay({ kind: "bullets", title: "T", points })[0];
const named = (slide: LaidSlide | undefined, name: string): readonly Element[] =>
  (slide?.elements ?? []).filter((element) => element.name === name);
const text = (element: Element | undefined): string =>
  element?.kind === "text" ? element.runs.map((run) => run.text).join("") : "";
const figuresBelow = [
  { figure: "38 %", text: "One" },
  { figure: "62 %", text: "Two" },
];
const tableOf = (slide: LaidSlide | undefined): TableElement | undefined =>
  slide?.elements.find((element) => element.kind === "table");

test("a cover without a subtitle says what the deck rests on, data by its subject", () => {
  const [cover] = lay(
    { kind: "title", title: "Our plan", date: "3 May 2026" },
    { kind: "bullets", title: "T", points: [{ text: "x", sources: [sampleCitation("1", 4, "q")] }] },
    { kind: "chart", title: "Sales", chart: sampleChart("column") },
  );
  expect(named(cover, "Subtitle").map(text)).toEqual(["From AI Strategy 2026 and data on sales"]);
  expect(named(cover, "Byline").map(text)).toEqual(["3\u00a0May\u00a02026"]);
});

test("a document cited by many headings has them counted, and named in the notes", () => {
  const cited = Array.from({ length: 12 }, (_, i) => ({
    text: `Statement ${i}`,
    sources: [{ ...headed, id: `h${i}`, section: `Part ${i} of the plan`, quote: `q${i}` }],
  }));
  const slides = lay({ kind: "bullets", title: "T", points: cited });
  const list = slides.at(-1);
  expect(tableOf(list)?.rows[0]?.[1]).toBe("12 sections");
  expect(list?.notes).toContain("Part 11 of the plan");
});

test("of many falling bars the first stand with their names, the others in the notes", () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({ quarter: `Pump ${i}`, revenue: 100 - i }));
  const [slide] = lay({ kind: "chart", title: "Sales", chart: { ...sampleChart("bar"), rows } });
  const chart = slide?.elements.find((element) => element.kind === "chart");
  expect(chart?.chart.rows).toHaveLength(14);
  expect(named(slide, "Chart caption").map(text)[0]).toContain("(first 14 of 20)");
  expect(slide?.notes).toContain("Pump 19: 81");
});

test("a line breaks where a month is missing, and nothing is said to be left out", () => {
  const rows = ["2025-04-01", "2025-05-01", "2025-09-01"].map((month) => ({ month, sales: 2 }));
  const x = { field: "month", label: "Month", type: "date" } as const;
  const series = [{ field: "sales", label: "Sales", type: "number" }] as const;
  const chart = { ...sampleChart("line"), x, series, rows };
  const [slide] = lay({ kind: "chart", title: "T", chart });
  const drawn = slide?.elements.find((element) => element.kind === "chart");
  expect(drawn?.chart.rows).toHaveLength(6);
  expect(named(slide, "Chart caption").map(text).join("")).not.toContain("first");
});

test("a column of numbers is set right where a cell has none", () => {
  const [slide] = lay({
    kind: "table",
    title: "T",
    columns: ["A", "B"],
    rows: [
      ["x", "-"],
      ["y", "4.65"],
    ],
  });
  expect(tableOf(slide)?.align).toEqual(["left", "right"]);
});

test("rows of a table have one height where there is room", () => {
  const long = "a cell of so many words that it takes two lines of its narrow column";
  const [slide] = lay({
    kind: "table",
    title: "T",
    columns: ["A", "B", "C"],
    rows: [
      [long, "x", long],
      ["y", "x", "y"],
      ["z", "x", "z"],
    ],
  });
  const [, ...heights] = tableOf(slide)?.rowHeights ?? [];
  expect(new Set(heights.map((height) => height.toFixed(3))).size).toBe(1);
});

describe("statements", () => {
  test("two are on panels with their figures set off, as they were written", () => {
    const slide = bullets("Visits fell by 38 % in 2025.", "People take EUR 8.2 million.");
    expect(named(slide, "Panel")).toHaveLength(2);
    const [first] = named(slide, "Point 1");
    expect(text(first)).toBe("Visits fell by 38\u00a0% in 2025.");
    expect(first).toMatchObject({ runs: [{}, { text: "38\u00a0%", bold: true }, {}] });
    expect(named(slide, "Point 2")[0]).toMatchObject({
      runs: [{}, { text: "EUR\u00a08.2\u00a0million", bold: true }, { text: "." }],
    });
  });

  test("three or more marked leads are laid out in two columns", () => {
    const slide = bullets(
      "**Foresight:** early warnings",
      "**Kompass**: an assistant",
      "**Watershed** one platform",
    );
    expect(named(slide, "Lead 2").map(text)).toEqual(["Kompass"]);
    expect(named(slide, "Point 2").map(text)).toEqual(["an assistant"]);
  });

  test("a lead among others is bold; a colon alone makes none, nor do more than four words", () => {
    const slide = bullets(
      "**Owner:** Elin Dahl",
      "Two risks: cost and time",
      "**This is a whole sentence** and more",
    );
    expect(named(slide, "Point 1")[0]).toMatchObject({
      runs: [{ text: "Owner: ", bold: true }, { text: "Elin Dahl" }],
    });
    expect(named(slide, "Point 2")[0]).toMatchObject({ runs: [{ text: "Two risks: cost and time" }] });
    expect(text(named(slide, "Point 3")[0])).toBe("This is a whole sentence and more");
  });

  test("three of which one is long stand in rows: a narrow panel would make seven lines of it", () => {
    const long =
      "A statement of considerable length that says everything there is to say about one thing and another";
    expect(named(bullets("Costs fall", "Sales rise", long), "Panel")).toHaveLength(0);
  });

  test("a little smaller rather than with a word alone in a second line", () => {
    const slide = bullets(
      "Foresight revenue rose from EUR 4.65 million in 2024 to EUR 11.39 million in 2025",
      "Costs fell",
      "Sales rose",
    );
    expect(named(slide, "Point 1")[0]).toMatchObject({ size: 24 });
  });

  test("a mark is joined to what stands before it", () => {
    const sources = [sampleCitation("1", 4, "q")];
    const [slide] = lay({
      kind: "bullets",
      title: "T",
      points: [
        { text: "Why?", sources },
        { text: "x", sources },
      ],
    });
    expect(text(named(slide, "Point 1")[0])).toBe("Why?\u00a0[1]");
    expect(text(named(slide, "Point 2")[0])).toBe("x[1]");
  });
});

describe("key figures", () => {
  const figures = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ figure: `${i + 10} %`, text: `Measure ${i}` }));
  const slideOf = (points: Extract<SlideInput, { kind: "bullets" }>["points"]): LaidSlide | undefined =>
    lay({ kind: "bullets", title: "T", points })[0];

  test.each([2, 3, 4, 5, 6])("%i stand on cards, each above its label", (count) => {
    const slide = slideOf(figures(count));
    expect(named(slide, "Panel")).toHaveLength(count);
    expect(named(slide, `Figure ${count}`).map(text)).toEqual([`${count + 9}\u00a0%`]);
    expect(named(slide, `Label ${count}`).map(text)).toEqual([`Measure ${count - 1}`]);
  });

  test("are two in a row if they are wide", () => {
    const wide = ["EUR 84.8 million", "EUR 14.4 million", "71 of 118", "1,204", "94 %", "118 days"];
    const slide = slideOf(wide.map((figure) => ({ figure, text: "Measure" })));
    expect(named(slide, "Panel")).toHaveLength(6);
    expect(new Set(named(slide, "Panel").map(({ box }) => box.x)).size).toBe(2);
  });

  test("have their remarks below them, on the same slide", () => {
    const slide = slideOf([...figures(4), "The board is asked to decide"]);
    expect(named(slide, "Remark 1").map(text)).toEqual(["The board is asked to decide"]);
    expect(named(slide, "Figure 4")).toHaveLength(1);
    const chart = { ...sampleChart("number"), series: [...sampleChart("number").series] };
    const slides = lay({ kind: "chart", title: "T", chart, takeaways: ["Above plan"] });
    expect(named(slides[0], "Remark 1").map(text)).toEqual(["Above plan"]);
    expect(named(slides[0], "Figure 1")).toHaveLength(1);
  });

  test.each<[string, readonly string[], readonly (readonly [string, string])[]]>([
    [
      "a number first",
      ["EUR 84.8 million revenue", "31.2 % gross margin", "412 new customers"],
      [
        ["EUR\u00a084.8\u00a0million", "revenue"],
        ["31.2\u00a0%", "gross margin"],
        ["412", "new customers"],
      ],
    ],
    [
      "a number in bold",
      ["**71 of 118** trials became orders", "**+145 %** growth", "**60 h** lead time"],
      [
        ["71\u00a0of\u00a0118", "trials became orders"],
        ["+145\u00a0%", "growth"],
        ["60\u00a0h", "lead time"],
      ],
    ],
    [
      "the label first",
      ["Availability: 99.95 %", "**Lead time:** 60 hours", "False alarms: 0.5 per month"],
      [
        ["99.95\u00a0%", "Availability"],
        ["60\u00a0hours", "Lead time"],
        ["0.5\u00a0per\u00a0month", "False alarms"],
      ],
    ],
  ])("written as statements with %s are set as such", (_, points, expected) => {
    const slide = bullets(...points);
    const found = expected.map((_one, i) => [
      text(named(slide, `Figure ${i + 1}`)[0]),
      text(named(slide, `Label ${i + 1}`)[0]),
    ]);
    expect(found).toEqual(expected);
  });

  test.each([
    ["dates", ["**31 July:** gate in CI", "**30 September:** fixtures", "**1 October:** first stations"]],
    ["dates that lead", ["31 July gate in CI", "30 September fixtures", "1 October 5 % of stations"]],
    ["years", ["2024 was slow", "2025 was better", "2026 is the best"]],
    ["bare counts", ["3 stations fail", "5 people know", "9 models run"]],
    ["other statements among them", ["38 % fewer visits", "Costs fell", "EUR 4.2 million approved"]],
  ])("are not made of %s", (_, points) => {
    expect(named(bullets(...points), "Figure 1")).toEqual([]);
  });
});

test("a title of two lines keeps its distance from the body", () => {
  const title =
    "UK & Ireland grew most, North America least, and no region shrank in the year that we review here today";
  const [slide] = lay({ kind: "bullets", title, points: figuresBelow });
  const [head] = named(slide, "Title");
  const [panel] = named(slide, "Panel");
  if (head?.kind !== "text" || panel === undefined) throw new Error("no title or panel");
  expect(linesOf(head.runs, head.size, head.box.w, true)).toBe(2);
  const bottom = head.box.y + textHeight(head.runs, head.size, head.box.w, true);
  expect(panel.box.y - bottom).toBeGreaterThan(0.25);
});

test("a title slide names the company beside author and date, once", () => {
  const byline = (author: string): readonly string[] => {
    const cover: SlideInput = { kind: "title", title: "Plan", author, date: "May 2026" };
    const spec = deckSpecSchema.parse({ v: 1, title: "Deck", company: "Norrvik AB", slides: [cover] });
    return named(layoutDeck(spec).slides[0], "Byline").map(text);
  };
  expect(byline("Elin Dahl")).toEqual(["Elin Dahl  ·  Norrvik AB  ·  May 2026"]);
  expect(byline("Norrvik AB")).toEqual(["Norrvik AB  ·  May 2026"]);
});

describe("tables", () => {
  test("each cell has its own decimals, and a column of years no separators", () => {
    const [slide] = lay({
      kind: "table",
      title: "T",
      columns: ["What", "2025", "Year"],
      rows: [
        ["Visits", 2140, 2026],
        ["People", 12, 2027],
        ["Caught", 62, 2028],
        ["Revenue", 11.39, 2028],
      ],
    });
    expect(tableOf(slide)?.rows.map((row) => row.slice(1))).toEqual([
      ["2,140", "2026"],
      ["12", "2027"],
      ["62", "2028"],
      ["11.39", "2028"],
    ]);
  });

  test("a column of signed numbers with units is aligned as numbers, one of dates is not", () => {
    const [slide] = lay({
      kind: "table",
      title: "T",
      columns: ["What", "Improvement", "Cost", "When"],
      rows: [
        ["a", "+20 points", "EUR 4.2 million", "12 May 2026"],
        ["b", "-50 %", "€ 3", "1 June 2026"],
        ["c", "−14", "12 h", "May 2027"],
      ],
    });
    expect(tableOf(slide)?.align).toEqual(["left", "right", "right", "left"]);
    const codes = {
      columns: ["Path", "Errors"],
      rows: [
        ["/a", "400, 404, 422"],
        ["/b", "404"],
      ],
    };
    expect(tableOf(lay({ kind: "table", title: "T", ...codes })[0])?.align).toEqual(["left", "left"]);
  });
});

describe("further statements", () => {
  const [first, second] = [sampleCitation("1", 4, "first"), sampleCitation("2", 9, "second")];
  const slides = lay(
    { kind: "bullets", title: "One", points: ["x", "y"], more: [{ text: "Also this.", sources: [first] }] },
    { kind: "bullets", title: "Two", points: [{ text: "z", sources: [second] }, "w"] },
  );

  test("stand in the notes with their sources, and on no slide", () => {
    expect(slides[0]?.notes).toBe("Also:\n• Also this. [2]\n\nSources:\n[2] AI Strategy 2026, p. 4: “first”");
    expect(slides[0]?.elements.some((element) => text(element).includes("Also"))).toBe(false);
    expect(named(slides[0], SOURCE_LINE)).toEqual([]);
  });

  test("are numbered after what the slides show, and are neither marks nor places among the sources", () => {
    expect(text(named(slides[1], "Point 1")[0])).toBe("z[1]");
    expect(tableOf(slides[2])?.rows).toEqual([["AI Strategy 2026", "page 9", "[1]"]]);
  });

  test("are not quoted once more; a table is quoted whole", () => {
    const table = sampleCitation("1", 4, "Goal | 2025 | 2028\nLead time | 31 | 60");
    const [slide, sources] = lay({
      kind: "bullets",
      title: "One",
      points: [{ text: "x", sources: [table] }],
      more: [{ text: "It holds.", sources: [sampleCitation("2", 9, "It holds.")] }],
    });
    expect(slide?.notes).toBe(
      "Also:\n• It holds. [2]\n\nSources:\n[1] AI Strategy 2026, p. 4: “Goal | 2025 | 2028\nLead time | 31 | 60”\n[2] AI Strategy 2026, p. 9",
    );
    expect(sources?.notes).toContain("Lead time | 31 | 60");
  });
});

describe("the list of sources", () => {
  test("has a document once, whatever its paths, and not again as data of a chart", () => {
    const name = "A document whose name is rather long and stays whole in every list of sources";
    const one = sampleCitation("1", 4, "q", name);
    const other = { ...sampleCitation("2", 9, "r", name), source: "copies/other.pdf" };
    const chart = sampleChart("column");
    const slides = lay(
      {
        kind: "bullets",
        title: "One",
        points: [
          { text: "x", sources: [one] },
          { text: "y", sources: [other] },
        ],
      },
      { kind: "chart", title: "Two", chart: { ...chart, provenance: { ...chart.provenance, source: name } } },
    );
    expect(tableOf(slides.at(-1))?.rows).toEqual([[name, "pages 4, 9", "[1][2]"]]);
  });
});

test("a title slide without a subtitle says what the deck rests on", () => {
  const cover = (...slides: Parameters<typeof lay>) =>
    lay({ kind: "title", title: "Plan" }, ...slides)[0]?.elements.map((element) => text(element)) ?? [];
  expect(
    cover({ kind: "bullets", title: "One", points: [{ text: "x", sources: [sampleCitation("1", 4, "q")] }] }),
  ).toContain("From AI Strategy 2026");
  expect(cover({ kind: "bullets", title: "One", points: ["x"] }).join(" ")).not.toContain("From");
});
