import { unreachable, type ChartKind } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { fitSlide } from "../fit-slide.ts";
import { lintLayout } from "../lint/lint-layout.ts";
import { deckSpecSchema, type DeckInput } from "../spec/deck-spec.ts";
import { LIMITS } from "../spec/limits.ts";
import { slideSchema, type SlideInput } from "../spec/slide-schema.ts";
import { themeNamed } from "../spec/theme.ts";
import { sampleChart, sampleCitation } from "../testing/samples.ts";
import { cleanLine } from "../text/clean.ts";
import type { LaidSlide } from "./element.ts";
import { textHeight } from "./fit.ts";
import { layoutDeck } from "./layout-deck.ts";

const theme = themeNamed("clear");

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
  test("is laid out without overflow, overlap or small type; a title that is too long is reported", () => {
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
