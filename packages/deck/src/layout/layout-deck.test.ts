import { describe, expect, test } from "vitest";

import { lintLayout } from "../lint/lint-layout.ts";
import { deckSpecSchema } from "../spec/deck-spec.ts";
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

  test("sentences without spaces take the room of their width", () => {
    const sentence = "水質センサーの校正計画を二〇二六年までにすべての地域へ拡大し現地訪問を三割以上削減する";
    const bullets = (count: number): SlideInput => ({
      kind: "bullets",
      title: "校正",
      points: Array.from({ length: count }, () => sentence.repeat(2)),
    });
    expect(lay(bullets(6)).map((one) => one.title)).toEqual(["校正"]);
    expect(lay(bullets(9)).map((one) => one.title)).toEqual(["校正 (1/2)", "校正 (2/2)"]);
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

  test("statements that do not fit at 14 pt continue evenly, with the reason", () => {
    const points = Array.from({ length: 14 }, (_, i) => `Statement ${i} has seven words in all`);
    const slides = lay({ kind: "bullets", title: "Many", points });
    expect(slides.map((s) => s.title)).toEqual(["Many (1/2)", "Many (2/2)"]);
    expect(slides.map((s) => textsOf(s).length - 1)).toEqual([7, 7]);
    expect(slides.map((s) => s.room)).toEqual(["14 bullets, room for 12 at 14 pt", undefined]);
    expect(lay({ kind: "bullets", title: "Many", points: points.slice(0, 12) })).toHaveLength(1);
  });

  test("a statement longer than a slide continues after a sentence", () => {
    const sentence = "Field visits fall in every region where the pilot runs.";
    const slides = lay({
      kind: "bullets",
      title: "T",
      points: [Array.from({ length: 60 }, () => sentence).join(" ")],
    });
    const texts = slides.map((one) => textsOf(one)[1] ?? "");
    expect(slides).toHaveLength(2);
    expect(texts.every((one) => one.endsWith("runs."))).toBe(true);
    expect(slides[0]?.room).toMatch(/^a text of 3\d{3} characters, room for about \d{4} at 14 pt$/);
  });

  test("statements that were given figures show them large, as they were written", () => {
    const [slide] = lay({
      kind: "bullets",
      title: "Numbers",
      points: [
        { text: "fewer visits", figure: "38 %" },
        { text: "approved", figure: "EUR 4.2 million" },
      ],
    });
    const figures = slide?.elements.flatMap((e) =>
      e.kind === "text" && e.role === "figure" ? [{ text: e.runs[0]?.text, size: e.size }] : [],
    );
    expect(figures).toEqual([
      { text: "38\u00a0%", size: 54 },
      { text: "EUR\u00a04.2\u00a0million", size: 54 },
    ]);
  });

  test("wide figures are laid out in rows, each larger than its text", () => {
    const [slide] = lay({
      kind: "bullets",
      title: "Numbers",
      points: ["EUR 11.39 million", "EUR 14.4 million", "84.8 million", "24"].map((figure) => ({
        text: "Revenue that customers of all regions brought in 2025",
        figure,
      })),
    });
    const sizes = (start: string): readonly number[] =>
      (slide?.elements ?? []).flatMap((e) => (e.kind === "text" && e.name.startsWith(start) ? [e.size] : []));
    expect(Math.min(...sizes("Figure"))).toBeGreaterThan(Math.max(...sizes("Label")));
    expect(new Set(sizes("Figure")).size).toBe(1);
  });

  test("a figure precedes its text if other statements have none", () => {
    const [slide] = lay({
      kind: "bullets",
      title: "T",
      points: [{ text: "fewer visits", figure: "38 %" }, "More"],
    });
    expect(textsOf(slide)).toEqual(["T", "38\u00a0% fewer visits", "More"]);
  });

  test("a year at the start of a statement is not a figure", () => {
    const [slide] = lay({
      kind: "bullets",
      title: "Years",
      points: ["2025 was good", "2026 will be better"],
    });
    expect(textsOf(slide)).toEqual(["Years", "2025 was good", "2026 will be better"]);
  });

  test("columns shrink and stay side by side", () => {
    const columns = (count: number): SlideInput => ({
      kind: "two-columns",
      title: "Sides",
      left: { heading: "Left", points: Array.from({ length: count }, () => long) },
      right: { heading: "Right", points: [long] },
    });
    expect(lay(columns(4)).map((s) => textsOf(s).filter((text) => /^(?:Left|Right)$/.test(text)))).toEqual([
      ["Left", "Right"],
    ]);
    const torn = lay(columns(10));
    expect(torn.map((s) => textsOf(s).filter((text) => /^(?:Left|Right)$/.test(text)))).toEqual([
      ["Left", "Right"],
      ["Left", "Right"],
    ]);
    expect(torn[0]?.room).toMatch(/^two columns of 10 and 1 statements, room for \d each at 12 pt$/);
  });

  test("ten rows of five columns are one slide, twenty of twelve are two", () => {
    const table = (rows: number, columns: number): SlideInput => ({
      kind: "table",
      title: "Goals",
      columns: Array.from({ length: columns }, (_, c) => (c === 0 ? "Goal" : `20${20 + c}`)),
      rows: Array.from({ length: rows }, (_, r) =>
        Array.from({ length: columns }, (_, c) => (c === 0 ? `Revenue of region ${r}` : r * 100 + c)),
      ),
    });
    expect(lay(table(10, 5))).toHaveLength(1);
    expect(lay(table(20, 12))).toHaveLength(2);
  });

  test("a long table continues with its header and aligns numbers right", () => {
    const slides = lay({
      kind: "table",
      title: "Units",
      columns: ["Region", "Units", "Year"],
      rows: Array.from({ length: 40 }, (_, i) => [`R${i}`, i * 1000.5, 2020 + (i % 5)]),
    });
    expect(slides).toHaveLength(3);
    for (const { elements } of slides) {
      const table = elements.find((e) => e.kind === "table");
      expect(table).toMatchObject({ header: ["Region", "Units", "Year"], align: ["left", "right", "right"] });
    }
    const first = slides[0]?.elements.find((e) => e.kind === "table");
    expect(first?.rows.slice(1, 4)).toEqual([
      ["R1", "1,000.5", "2021"],
      ["R2", "2,001", "2022"],
      ["R3", "3,001.5", "2023"],
    ]);
  });

  test("a cell taller than a slide continues in the next table", () => {
    const cell = Array.from({ length: 66 }, (_, i) => `word${i}`)
      .join(" ")
      .slice(0, LIMITS.cellChars);
    const slides = lay({
      kind: "table",
      title: "T",
      columns: Array.from({ length: 12 }, (_, c) => `C${c}`),
      rows: [Array.from({ length: 12 }, () => cell)],
    });
    expect(slides.length).toBeGreaterThan(1);
    const parts = slides.flatMap((one) =>
      one.elements.flatMap((e) => (e.kind === "table" ? [e.rows[0]?.[3]] : [])),
    );
    expect(parts.join(" ")).toBe(cell);
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
    expect(deck.added).toEqual([{ kind: "sources", slides: 1 }]);
  });

  test("without a sources slide a deck has the slides it asks for, and its notes name the sources", () => {
    const deck = layoutDeck({ ...sampleDeck(), sourcesSlide: false });
    expect(deck.slides).toHaveLength(sampleDeck().slides.length);
    expect(deck.added).toEqual([]);
    expect(deck.slides[3]?.notes).toContain("AI Strategy 2026, p. 4: “Predictive calibration cuts");
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
