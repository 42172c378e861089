import type { ChartKind } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { lintLayout } from "../lint/lint-layout.ts";
import { deckSpecSchema, type DeckInput } from "../spec/deck-spec.ts";
import { LIMITS } from "../spec/limits.ts";
import type { SlideInput } from "../spec/slide-schema.ts";
import { themeNamed } from "../spec/theme.ts";
import { sampleChart, sampleCitation, sampleDeck } from "../testing/samples.ts";
import type { LaidSlide } from "./element.ts";
import { textHeight } from "./fit.ts";
import { layoutDeck } from "./layout-deck.ts";

const theme = themeNamed("clear");

const lay = (...slides: SlideInput[]): readonly LaidSlide[] =>
  layoutDeck(deckSpecSchema.parse({ v: 1, title: "Deck", slides })).slides;

const textsOf = (slide: LaidSlide | undefined): readonly string[] =>
  (slide?.elements ?? []).flatMap((e) => (e.kind === "text" ? [e.runs.map((run) => run.text).join("")] : []));

const cellsOf = (slide: LaidSlide | undefined): readonly string[] =>
  (slide?.elements ?? []).flatMap((e) => (e.kind === "table" ? e.rows.flat() : []));

const long =
  "Predictive calibration is extended to every sensor line because field visits fall by more than a third and customers in all regions report fewer false alarms during the flood season";

// Words of every length in several scripts, with what models like to send: markup, line breaks, symbols.
const word = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-zA-Zåäöß]{1,14}$/) },
  fc.constantFrom(
    "水質センサー",
    "калибровка",
    "🎉",
    "4.2",
    "€12M",
    "–",
    "<b>&",
    "a\nb",
    "水質センサーの校正計画".repeat(9),
    "x".repeat(60),
    "WWWWWWWWWWWWWWWW",
  ),
);
const phrase = (max: number) =>
  fc
    .array(word, { minLength: 1, maxLength: max })
    .map((words) => words.join(" ").slice(0, LIMITS.titleChars));
const citation = fc
  .tuple(fc.integer({ min: 1, max: 30 }), phrase(10))
  .map(([n, document]) => sampleCitation(String(n), n, "quoted", document));
const point = fc.record({ text: phrase(40), sources: fc.array(citation, { maxLength: 5 }) });
const points = fc.array(point, { minLength: 1, maxLength: 9 });
const chartKind = fc.constantFrom<ChartKind>("bar", "column", "line", "area", "pie", "scatter", "number");

const slide: fc.Arbitrary<SlideInput> = fc.oneof(
  fc.record({
    kind: fc.constant("title" as const),
    title: phrase(30),
    subtitle: phrase(40),
    author: phrase(15).map((t) => t.slice(0, 100)),
  }),
  fc.record({
    kind: fc.constant("agenda" as const),
    title: phrase(10),
    items: fc.array(phrase(15), { minLength: 1, maxLength: 20 }),
  }),
  fc.record({ kind: fc.constant("section" as const), title: phrase(30), subtitle: phrase(40) }),
  fc.record({ kind: fc.constant("bullets" as const), title: phrase(25), points }),
  fc.record({
    kind: fc.constant("two-columns" as const),
    title: phrase(20),
    left: fc.record({ heading: phrase(8), points }),
    right: fc.record({ points }),
  }),
  fc.record({
    kind: fc.constant("chart" as const),
    title: phrase(15),
    chart: chartKind.map(sampleChart),
    takeaways: points.map((p) => p.slice(0, 6)),
  }),
  fc
    .tuple(phrase(10), fc.integer({ min: 1, max: 10 }), fc.array(phrase(12), { minLength: 1, maxLength: 40 }))
    .map(([title, columns, cells]) => ({
      kind: "table" as const,
      title,
      columns: Array.from({ length: columns }, (_, c) => cells[c % cells.length]?.slice(0, 100) ?? "x"),
      rows: cells.map((cell, r) =>
        Array.from({ length: columns }, (_, c) => (c % 3 === 2 ? r * 1234.5 : cell)),
      ),
    })),
  fc.record({
    kind: fc.constant("quote" as const),
    quote: phrase(60),
    by: phrase(12),
    sources: fc.array(citation, { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("closing" as const), title: phrase(12), points, contact: phrase(10) }),
);

describe("any spec", () => {
  test("is laid out without overflow, overlap, small type, or more than 40 words a slide", () => {
    fc.assert(
      fc.property(fc.array(slide, { minLength: 1, maxLength: 4 }), (slides) => {
        const layout = layoutDeck(deckSpecSchema.parse({ v: 1, title: "Deck", slides } satisfies DeckInput));
        expect(lintLayout(layout, theme)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("keeps every word: what is not on a slide stands in its notes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.stringMatching(/^[a-z]{3,12}$/), { minLength: 1, maxLength: 60 }), {
          minLength: 1,
          maxLength: 8,
        }),
        (statements) => {
          const slides = lay({
            kind: "bullets",
            title: "Title",
            points: statements.map((words) => words.join(" ")),
          });
          const everything = slides.flatMap((s) => [...textsOf(s), s.notes]).join("\n");
          for (const words of statements) expect(everything).toContain(words.join(" "));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("slides", () => {
  test.each([1, 5, 6, 7, 8, 9, 10, 11, 20])(
    "an agenda of %i short items keeps its larger numbers within their rows",
    (count) => {
      const words = ["a", "A", "水質センサー", "ä"];
      const items = Array.from({ length: count }, (_, i) => words[i % words.length] ?? "");
      const layout = layoutDeck(
        deckSpecSchema.parse({ v: 1, title: "Deck", slides: [{ kind: "agenda", title: "a", items }] }),
      );
      expect(lintLayout(layout, theme)).toEqual([]);
      const texts = layout.slides.flatMap((one) =>
        one.elements.flatMap((e) => (e.kind === "text" ? [e] : [])),
      );
      const over = texts.filter((e) => textHeight(e.runs, e.size, e.box.w, e.bold) > e.box.h + 1e-6);
      expect(over).toEqual([]);
    },
  );

  test("a claim carries its mark, the foot line its document and page, the notes its quote", () => {
    const source = sampleCitation("9", 4, "Visits fell by 38 %.");
    const [first, sources] = lay({
      kind: "bullets",
      title: "Fewer visits",
      points: [{ text: "Visits fall", sources: [source] }, "Alarms too"],
    });
    expect(textsOf(first)).toEqual([
      "Fewer visits",
      "Visits fall[1]",
      "Alarms too",
      "[1] AI Strategy 2026, p. 4",
    ]);
    expect(first?.notes).toContain("[1] AI Strategy 2026, p. 4: “Visits fell by 38 %.”");
    expect(cellsOf(sources)).toEqual(["AI Strategy 2026", "page 4", "[1]"]);
    expect(sources?.elements.map(({ name }) => name)).toContain("Sources table");
  });

  test("sentences without spaces are weighed by their width: they continue on further slides", () => {
    const sentence = "水質センサーの校正計画を二〇二六年までにすべての地域へ拡大し現地訪問を三割以上削減する";
    const points = Array.from({ length: 6 }, () => ({ text: sentence.repeat(2) }));
    const columns = { left: { points: [sentence.slice(0, 9)] }, right: { points: [sentence.repeat(3)] } };
    const layout = layoutDeck(
      deckSpecSchema.parse({
        v: 1,
        title: "Deck",
        slides: [
          { kind: "bullets", title: "校正", points },
          { kind: "two-columns", title: "地域", ...columns },
          {
            kind: "agenda",
            title: "議題",
            items: [...Array.from({ length: 9 }, () => "現状"), sentence.repeat(2)],
          },
        ],
      }),
    );
    expect(lintLayout(layout, theme)).toEqual([]);
    expect(layout.slides.map((slide) => slide.title)).toEqual([
      "校正 (1/3)",
      "校正 (2/3)",
      "校正 (3/3)",
      "地域",
      "議題",
    ]);
  });

  test("citations are numbered by first use and the same place keeps its number", () => {
    const a = sampleCitation("7", 4, "a");
    const b = sampleCitation("3", 9, "b");
    const slides = lay(
      { kind: "bullets", title: "One", points: [{ text: "x", sources: [b] }, "y"] },
      { kind: "bullets", title: "Two", points: [{ text: "z", sources: [a, b] }, "w"] },
    );
    expect(textsOf(slides[0])).toContain("x[1]");
    expect(textsOf(slides[1])).toContain("z[1][2]");
  });

  test("too many words continue on further slides, evenly", () => {
    const slides = lay({
      kind: "bullets",
      title: "Many",
      points: Array.from({ length: 9 }, (_, i) => `Statement ${i} has seven words in all`),
    });
    expect(slides.map((s) => s.title)).toEqual(["Many (1/2)", "Many (2/2)"]);
    expect(slides.map((s) => textsOf(s).length - 1)).toEqual([5, 4]);
  });

  test("statements that open with numbers become figures", () => {
    const [slide] = lay({
      kind: "bullets",
      title: "Numbers",
      points: ["38% fewer visits", "EUR 4.2 million approved", { text: "systems", figure: "1,204" }],
    });
    const figures = slide?.elements.flatMap((e) =>
      e.kind === "text" && e.role === "figure" ? [e.runs[0]?.text] : [],
    );
    expect(figures).toEqual(["38%", "EUR\u00a04.2M", "1,204"]);
  });

  test("a year at the start of a statement is not a figure", () => {
    const [slide] = lay({
      kind: "bullets",
      title: "Years",
      points: ["2025 was good", "2026 will be better"],
    });
    expect(textsOf(slide)).toEqual(["Years", "2025 was good", "2026 will be better"]);
  });

  test("columns that do not fit side by side follow one another", () => {
    const slides = lay({
      kind: "two-columns",
      title: "Sides",
      left: { heading: "Left", points: [long, long] },
      right: { heading: "Right", points: [long] },
    });
    expect(slides.map((s) => textsOf(s)[1])).toEqual(["Left", "Right"]);
  });

  test("a long table continues with its header and aligns numbers right", () => {
    const slides = lay({
      kind: "table",
      title: "Units",
      columns: ["Region", "Units", "Year"],
      rows: Array.from({ length: 24 }, (_, i) => [`R${i}`, i * 1000.5, 2020 + (i % 5)]),
    });
    expect(slides.length).toBeGreaterThan(2);
    for (const { elements } of slides) {
      const table = elements.find((e) => e.kind === "table");
      expect(table).toMatchObject({ header: ["Region", "Units", "Year"], align: ["left", "right", "right"] });
    }
    const first = slides[0]?.elements.find((e) => e.kind === "table");
    expect(first).toMatchObject({ rows: expect.arrayContaining([["R2", "2,001.0", "2022"]]) as unknown });
  });

  test("a table whose columns have no names has no header row", () => {
    const [slide] = lay({
      kind: "table",
      title: "Plan 2026",
      columns: ["", ""],
      rows: [
        ["2026-03-31", "Pumps open"],
        ["2026-06-30", "Sales begin"],
      ],
    });
    const table = slide?.elements.find((e) => e.kind === "table");
    expect(table).toMatchObject({ header: [], columnWidths: [expect.anything(), expect.anything()] });
    expect(table?.rowHeights).toHaveLength(2);
  });

  test("a number chart is a big figure, a chart without numbers says so", () => {
    const [figure] = lay({ kind: "chart", title: "Total", chart: sampleChart("number") });
    expect(textsOf(figure)).toContain("EUR\u00a03.91M");
    const [none] = lay({ kind: "chart", title: "Nothing", chart: { ...sampleChart("column"), rows: [] } });
    expect(textsOf(none)).toContain("Quarterly revenue: no numbers to show");
  });

  test("a chart names its data, and its query stands in the notes", () => {
    const [slide, sources] = lay({ kind: "chart", title: "Sales", chart: sampleChart("column") });
    expect(textsOf(slide)).toEqual([
      "Sales",
      "Quarterly revenue, EUR million",
      "Data: sales.csv (query in the notes)",
    ]);
    expect(slide?.notes).toContain("Query: SELECT quarter, sum(amount)");
    expect(cellsOf(sources)).toEqual(["sales.csv", "slide 1"]);
  });

  test("a slide that says numbers of a chart in words names its data, too", () => {
    const slide = {
      kind: "bullets",
      title: "In short",
      points: ["Sales rose"],
      data: [sampleChart("column")],
    };
    const [first, second, sources] = lay(slide as SlideInput, {
      kind: "chart",
      title: "Sales",
      chart: sampleChart("column"),
    });
    expect(textsOf(first)).toContain("Data: sales.csv (query in the notes)");
    expect(first?.notes).toContain("Query: SELECT quarter, sum(amount)");
    expect(textsOf(second)).toContain("Data: sales.csv (query in the notes)");
    expect(cellsOf(sources)).toEqual(["sales.csv", "slides 1, 2"]);
  });

  test("a sources slide stands where the spec has it, and holds what is cited after it", () => {
    const source = sampleCitation("1", 4, "a");
    const slides = lay(
      { kind: "sources", title: "References" },
      { kind: "bullets", title: "One", points: [{ text: "x", sources: [source] }, "y"] },
    );
    expect(slides.map((s) => s.title)).toEqual(["References", "One"]);
    expect(cellsOf(slides[0])).toContain("AI Strategy 2026");
  });

  test("slides know the spec slide they came from; the generated sources come from none", () => {
    const deck = layoutDeck(sampleDeck());
    expect(deck.slides.map((s) => s.from)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, undefined]);
  });

  test("an untitled quote has no title placeholder; a closing without points is set like a section", () => {
    const [quote, closing] = lay(
      { kind: "quote", quote: '"Short"' },
      { kind: "closing", title: "Thank you" },
    );
    expect(quote).toMatchObject({ layout: "Plain" });
    expect(textsOf(quote)).toEqual(["“Short”"]);
    expect(closing).toMatchObject({ layout: "Section", title: "Thank you" });
  });
});
