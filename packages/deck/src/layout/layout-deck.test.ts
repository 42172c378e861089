import { unreachable, type ChartKind } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { fitSlide } from "../fit-slide.ts";
import { lintLayout } from "../lint/lint-layout.ts";
import { deckSpecSchema, type DeckInput } from "../spec/deck-spec.ts";
import { LIMITS } from "../spec/limits.ts";
import { slideSchema, type SlideInput } from "../spec/slide-schema.ts";
import { themeNamed } from "../spec/theme.ts";
import { cleanLine } from "../text/clean.ts";
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

// Long texts take minutes to shrink; the seed is enough to look into a failure.
const RUNS = { numRuns: 40, endOnFailure: true };

// Words of every length in several scripts, with what models like to send: markup, line breaks, symbols.
const word = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-zA-Zåäöß]{1,14}$/) },
  fc.constantFrom(
    "水質センサー",
    "калибровка",
    "الماء",
    "🎉",
    "👩‍👩‍👧",
    "4.2",
    "€12M",
    "–",
    "<b>&",
    "a\nb",
    "**c:**",
    "水質センサーの校正計画".repeat(9),
    "x".repeat(60),
    "WWWWWWWWWWWWWWWW",
  ),
);
/** Text of up to so many characters. */
const phrase = (chars: number, maxWords = Math.ceil(chars / 6)) =>
  fc
    .array(word, { minLength: 1, maxLength: maxWords, size: "max" })
    .map((words) => words.join(" ").slice(0, chars).toWellFormed().trim())
    .filter((text) => text !== "");
const title = phrase(LIMITS.titleChars, 40);
const line = phrase(LIMITS.lineChars);
const name = phrase(LIMITS.nameChars);
const text = fc.oneof(
  { weight: 12, arbitrary: phrase(200) },
  { weight: 1, arbitrary: phrase(LIMITS.bulletChars) },
);
const citation = fc
  .tuple(fc.integer({ min: 1, max: 30 }), phrase(100))
  .map(([n, document]) => sampleCitation(String(n), n, "quoted", document));
const point = fc.record({ text, sources: fc.array(citation, { maxLength: 5 }) });
const points = fc.array(point, { minLength: 1, maxLength: 12 });
const figures = fc.array(fc.record({ text, figure: phrase(LIMITS.figureChars) }), {
  minLength: 1,
  maxLength: 8,
});
const chartKind = fc.constantFrom<ChartKind>("bar", "column", "line", "area", "pie", "scatter", "number");

const slide: fc.Arbitrary<SlideInput> = fc.oneof(
  fc.record({ kind: fc.constant("title" as const), title, subtitle: line, author: name, date: name }),
  fc.record({
    kind: fc.constant("agenda" as const),
    title,
    items: fc.array(line, { minLength: 1, maxLength: 20 }),
  }),
  fc.record({ kind: fc.constant("section" as const), title, subtitle: line }),
  fc.record({ kind: fc.constant("bullets" as const), title, points: fc.oneof(points, figures) }),
  fc.record({
    kind: fc.constant("two-columns" as const),
    title,
    left: fc.record({ heading: line, points }),
    right: fc.record({ points }),
  }),
  fc.record({
    kind: fc.constant("chart" as const),
    title,
    chart: fc.tuple(chartKind, line).map(([kind, named]) => ({ ...sampleChart(kind), title: named })),
    takeaways: points.map((p) => p.slice(0, 6)),
  }),
  fc
    .tuple(
      title,
      fc.integer({ min: 1, max: LIMITS.columns }),
      fc.array(phrase(LIMITS.cellChars, 30), { minLength: 1, maxLength: 30 }),
      fc.array(phrase(60), { minLength: LIMITS.columns, maxLength: LIMITS.columns }),
    )
    .map(([named, columns, cells, names]) => ({
      kind: "table" as const,
      title: named,
      columns: names.slice(0, columns),
      rows: cells.map((cell, r) =>
        Array.from({ length: columns }, (_, c) => (c % 3 === 2 ? r * 1234.5 : cell)),
      ),
    })),
  fc.record({
    kind: fc.constant("quote" as const),
    quote: phrase(LIMITS.quoteChars),
    by: line,
    sources: fc.array(citation, { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("closing" as const), title, points, contact: line }),
);

/** Every text that the slide has for its reader; of a chart its title. */
function wordsOf(one: SlideInput): readonly string[] {
  const of = (all: readonly (string | { readonly text: string })[] = []): readonly string[] =>
    all.map((each) => (typeof each === "string" ? each : each.text));
  switch (one.kind) {
    case "title":
      return [one.title, one.subtitle ?? "", one.author ?? "", one.date ?? ""];
    case "agenda":
      return [one.title, ...one.items];
    case "section":
      return [one.title, one.subtitle ?? ""];
    case "bullets":
      return [one.title, ...of(one.points)];
    case "two-columns":
      return [one.title, one.left.heading ?? "", ...of(one.left.points), ...of(one.right.points)];
    case "chart":
      return [one.title, one.chart.title, ...of(one.takeaways)];
    case "table":
      return [one.title, ...one.columns, ...one.rows.flat().filter((cell) => typeof cell === "string")];
    case "quote":
      return [one.quote, one.by ?? ""];
    case "closing":
      return [one.title, ...of(one.points), one.contact ?? ""];
    case "sources":
      return [];
    default:
      return unreachable(one);
  }
}

/** What is left of a text when its spaces, the stars of a lead and the marks of a quote do not count. */
const letters = (shown: string): string => cleanLine(shown).replace(/[\s\u00a0*“”]/g, "");

/**
 * The texts of one spec slide on all of its slides, each kind of part after the other: what continues on the next
 * slide stands behind its first half again.
 */
function shownInParts(slides: readonly LaidSlide[]): string {
  const elements = slides.flatMap((one) => one.elements);
  const read = (e: LaidSlide["elements"][number]): string =>
    e.kind === "text" ? e.runs.map((run) => (run.raised === true ? "" : run.text)).join("") : "";
  const sides = [0, 6].map((from) =>
    elements.filter(
      (e) =>
        e.kind === "text" &&
        e.role === "body" &&
        e.name.startsWith("Point") &&
        e.box.x >= from &&
        e.box.x < from + 6,
    ),
  );
  const tables = elements.filter((e) => e.kind === "table");
  const columns = Array.from({ length: LIMITS.columns }, (_, c) => [
    tables[0]?.header[c] ?? "",
    ...tables.flatMap((table) => table.rows.map((row) => row[c] ?? "")),
  ]);
  return [
    ...elements.map(read),
    ...sides.map((side) => side.map(read).join("")),
    ...["Quote", "Item", "Label", "Point", "Statement"].map((named) =>
      elements
        .filter((e) => e.name.startsWith(named))
        .map(read)
        .join(""),
    ),
    elements
      .filter((e) => /^(?:Point|Statement|Label)/.test(e.name))
      .map(read)
      .join(""),
    ...columns.map((cells) => cells.join("")),
  ].join("\n");
}

const specOf = (slides: readonly SlideInput[]) =>
  deckSpecSchema.parse({ v: 1, title: "Deck", slides: [...slides] } satisfies DeckInput);

describe("any spec", () => {
  test("is laid out without overflow, overlap or small type; only a title may be too long, and that is said", () => {
    fc.assert(
      fc.property(fc.array(slide, { minLength: 1, maxLength: 3 }), (slides) => {
        const layout = layoutDeck(specOf(slides));
        const problems = lintLayout(layout, theme);
        expect(problems.filter(({ rule }) => rule !== "title-lines")).toEqual([]);
        const over = layout.slides.flatMap((one) =>
          one.elements.filter(
            (e) => e.kind === "text" && textHeight(e.runs, e.size, e.box.w, e.bold) > e.box.h + 1e-6,
          ),
        );
        expect(over).toEqual([]);
        const alone = slides.map((one) => layoutDeck({ ...specOf([one]), sourcesSlide: false }));
        const wrong = slides.filter((_, i) => {
          const laid = alone[i];
          return laid !== undefined && lintLayout(laid, theme).length > 0;
        });
        expect(wrong.map((one) => fitSlide(slideSchema.parse(one)).fits)).toEqual(wrong.map(() => false));
      }),
      RUNS,
    );
  });

  test("keeps every word of every text on its slides", () => {
    fc.assert(
      fc.property(slide, (one) => {
        const slides = layoutDeck({ ...specOf([one]), sourcesSlide: false }).slides;
        const shown = letters(shownInParts(slides));
        for (const wanted of wordsOf(one)) expect(shown).toContain(letters(wanted));
      }),
      { ...RUNS, numRuns: 80 },
    );
  });

  test("has no ellipsis that the spec has not", () => {
    fc.assert(
      fc.property(fc.array(slide, { minLength: 1, maxLength: 3 }), (slides) => {
        expect(JSON.stringify(layoutDeck(specOf(slides)))).not.toContain("…");
      }),
      RUNS,
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

  test("statements continue where they have no room at 14 pt, evenly, and it is said why", () => {
    const points = Array.from({ length: 14 }, (_, i) => `Statement ${i} has seven words in all`);
    const slides = lay({ kind: "bullets", title: "Many", points });
    expect(slides.map((s) => s.title)).toEqual(["Many (1/2)", "Many (2/2)"]);
    expect(slides.map((s) => textsOf(s).length - 1)).toEqual([7, 7]);
    expect(slides.map((s) => s.room)).toEqual(["14 bullets, room for 12 at 14 pt", undefined]);
    expect(lay({ kind: "bullets", title: "Many", points: points.slice(0, 12) })).toHaveLength(1);
  });

  test("one statement that is longer than a slide goes on at the end of a sentence", () => {
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

  test("wide figures stand in rows, each larger than its text", () => {
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

  test("a figure among statements without stands before its text", () => {
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

  test("a cell that is taller than a slide goes on in the next table", () => {
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
