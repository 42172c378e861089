import { answerCheck } from "@troupe/checks";
import { slideSchema, type SlideInput } from "@troupe/deck";
import { sampleCitation } from "@troupe/deck/testing";
import { describe, expect, test } from "vitest";

import type { Presentation } from "../state/presentation.ts";
import { longDeck } from "../testing/long-deck.ts";
import { checkPresentation, checkSlide, summarizesLaterSlides } from "./check-slides.ts";
import { describeUnsourced, describeUnverified, withNotFoundNote } from "./describe-unverified.ts";

function presentationOf(slides: readonly SlideInput[], title = "Foresight: where we stand"): Presentation {
  return {
    v: 1,
    id: "p",
    updated: 0,
    saved: false,
    title,
    theme: "clear",
    slides: slides.map((slide, i) => ({ place: i + 1, slide: slideSchema.parse(slide) })),
  };
}

const foundIn = async (slides: readonly SlideInput[]): Promise<readonly string[]> =>
  (await checkPresentation(presentationOf(slides), answerCheck)).unverified.map(
    ({ slide, statement, finding }) => `${slide} ${statement.place}: ${finding.detail}`,
  );

/** The long deck with a text replaced by another wherever it is on that slide. */
function falsified(number: number, from: string, to: string): readonly SlideInput[] {
  return longDeck.map((slide, i) => {
    if (i !== number - 1) return slide;
    const { chart, sources, ...rest } = slide as SlideInput & { chart?: unknown };
    const json = JSON.stringify(rest, (key, value: unknown) => (key === "sources" ? undefined : value));
    if (!json.includes(from)) throw new Error(`slide ${number} has no ${from}`);
    const changed = JSON.parse(json.replaceAll(from, to)) as { points?: { sources?: unknown }[] };
    const all = [sources ?? [], sourcesOfPoints(slide)].flat();
    return {
      ...changed,
      ...(chart === undefined ? {} : { chart }),
      ...(all.length === 0 ? {} : { sources: all }),
    } as SlideInput;
  });
}

const sourcesOfPoints = (value: unknown): readonly unknown[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, one]) =>
        key === "sources" && Array.isArray(one) ? (one as unknown[]) : sourcesOfPoints(one),
      );

describe("a long deck of true slides", () => {
  test("has no finding as a whole", async () => {
    expect(await foundIn(longDeck)).toEqual([]);
  });

  test("has no finding at any slide as it is added", () => {
    const found = longDeck.flatMap((_, i) => {
      const before = presentationOf(longDeck.slice(0, i + 1));
      const slide = before.slides[i]?.slide;
      return slide === undefined || summarizesLaterSlides(slide)
        ? []
        : checkSlide(before, i + 1, answerCheck);
    });
    expect(found).toEqual([]);
  });

  test.each([
    [1, "meeting, January 2026", "meeting, January 2031", "subtitle: January 2031"],
    [2, "EUR 64,000", "EUR 94,000", "point 3: 94,000"],
    [3, "Prices and trials", "Prices and 240 trials", "item 3: 240"],
    [5, "EUR 4.65 million", "EUR 3.65 million", "title: 3.65 million"],
    [5, "EUR 6.3 million", "EUR 8.3 million", "takeaway 1: 8.3 million"],
    [5, "144.7 %", "191.7 %", "statement in more 1: 191.7 %"],
    [5, "EUR 6.74 million", "EUR 9.87 million", "notes: 9.87 million"],
    [6, "71 of 118", "71 of 148", "point 1: 148"],
    [7, "From 60 stations", "From 85 stations", "row 4: 85"],
    [8, "EUR 1,580.50", "EUR 1,850.50", "right point 1: 1,850.50"],
    [9, "63 stations", "36 stations", "subtitle: 36"],
    [10, "38 customers", "83 customers", "title: 83"],
    [11, "41000", "47000", "row 1: 47000"],
    [12, "Elin Dahl", "Elin Berg", "row 2: Elin Berg"],
    [12, "31 July 2025", "31 August 2024", "row 2: 31 August 2024"],
    [13, "go to bed", "stay in bed", "quote: I don’t need"],
    [13, "Westerau Water", "Utrecht Water", "by: Utrecht"],
    [14, "72 hours instead", "87 hours instead", "title: 87 hours"],
    [15, "Tideline", "Acme", "point 1: Acme"],
    [15, "EUR 1,450", "EUR 1,640", "point 2: 1,640"],
  ])("has a finding on slide %i with %j made %j", async (number, from, to, found) => {
    expect(await foundIn(falsified(number, from, to))).toContainEqual(
      expect.stringContaining(`${number} ${found}`),
    );
  });
});

const margin = sampleCitation("1", 4, "Software margin was 62 % in 2025, after 58 % in 2024.");

test("a slide invented beside a source is named, statement by statement", () => {
  const slides: readonly SlideInput[] = [
    {
      kind: "bullets",
      title: "Software margin is 71 % and Norrvik buys Tideline for EUR 40 million",
      points: [{ text: "99 hours [25]", sources: [margin] }],
    },
  ];
  const found = checkSlide(presentationOf(slides), 2, answerCheck);
  expect(describeUnverified(found)).toEqual([
    expect.stringMatching(
      /^- slide 2, title: "Software margin is 71 %.*": 71 %, 40 million were not found\.$/,
    ),
    expect.stringMatching(/^- slide 2, point 1: "99 hours \[25\]": \[25\] is no source of the slide\.$/),
  ]);
  const [slide] = presentationOf(slides).slides;
  if (slide === undefined) throw new Error("no slide");
  expect(withNotFoundNote({ ...slide.slide, notes: "Be brief." }, found).notes).toMatch(
    /^Be brief\.\n\nNot found in the sources: 71 %, 40 million \(Software margin is 71 %.*\); \[25\] \(99 hours \[25\]\)$/,
  );
});

test("notes as long as they may be keep room for the line that names statements", () => {
  const slide: SlideInput = {
    kind: "bullets",
    title: "Margin",
    points: [{ text: "Margin 71 %", sources: [margin] }],
  };
  const found = checkSlide(presentationOf([slide]), 2, answerCheck);
  const noted = withNotFoundNote(slideSchema.parse({ ...slide, notes: "x".repeat(10_000) }), found);
  expect(slideSchema.parse(noted).notes).toMatch(/x\n\nNot found in the sources: 71 % \(Margin 71 %\)$/);
});

test("a presentation without any sources is not compared; its statements with figures are named", async () => {
  const slides: readonly SlideInput[] = [
    { kind: "bullets", title: "Margin is 71 %", points: ["Tideline costs EUR 40 million"] },
    { kind: "closing", title: "Thank you", points: ["Ask Anna in Q1 2027"], notes: "5 of 12 are left." },
    { kind: "bullets", title: "Prices", points: ["2025 % of the list price"], notes: "Revenue: 1,450" },
  ];
  const { unverified, isCompared } = await checkPresentation(presentationOf(slides), answerCheck);
  expect(isCompared).toBe(false);
  expect(unverified.map(({ slide, statement }) => [slide, statement.place])).toEqual([
    [2, "title"],
    [2, "point 1"],
    [4, "point 1"],
    [4, "notes"],
  ]);
  expect(describeUnsourced(unverified)).toEqual(["4 statements with figures have no source: slides 2, 4."]);
  expect(describeUnsourced(unverified.slice(3))).toEqual([
    "1 statement with figures has no source: slide 4.",
  ]);
  expect(checkSlide(presentationOf(slides), 2, answerCheck)).toEqual([]);
});

test("a presentation without sources and figures has no finding", async () => {
  const slides: readonly SlideInput[] = [
    { kind: "title", title: "Where we stand in 2026", date: "22 January 2026" },
    { kind: "bullets", title: "CO2 and Q1", points: ["From 2024 to 2026"] },
  ];
  expect(await checkPresentation(presentationOf(slides), answerCheck)).toEqual({
    unverified: [],
    isCompared: false,
  });
});

describe("a presentation without sources is compared with what is known", () => {
  const request =
    "Three slides: revenue was EUR 84 million in 2025 and EUR 70 million in 2024. Decide by 2 July 2026.";
  const table = {
    id: "t",
    columns: ["region", "orders"],
    rows: [
      ["North", 1204],
      ["South", 96],
    ],
  };
  const unknownIn = async (slides: readonly SlideInput[]): Promise<readonly string[]> => {
    const known = { given: [request, "28 November 2026"], tables: [table] };
    const found = await checkPresentation(presentationOf(slides, "Where we stand"), answerCheck, known);
    expect(found.isCompared).toBe(true);
    return found.unverified.map(
      ({ slide, statement: { place }, finding }) => `${slide} ${place}: ${finding.detail}`,
    );
  };

  test("figures of the request and of findings, computed figures and counts have no finding", async () => {
    const slides: readonly SlideInput[] = [
      { kind: "title", title: "Where we stand", date: "28 November 2026" },
      {
        kind: "bullets",
        title: "Revenue grew 20 % in 2025",
        points: ["EUR 84 million", "After EUR 70 million in 2024"],
      },
      {
        kind: "bullets",
        title: "Three regions matter",
        points: ["North: 1,204 orders", "South: 96", "1,300 in all"],
      },
      {
        kind: "table",
        title: "Orders",
        columns: ["Region", "Orders"],
        rows: [
          ["North", 1204],
          ["South", 96],
        ],
      },
      { kind: "closing", title: "Ask Anna Berg", points: ["Decide by 2 July 2026"], notes: "Slide 2 of 5." },
    ];
    expect(await unknownIn(slides)).toEqual([]);
  });

  test("invented amounts, dates and rows have one each, and names have none", async () => {
    const slides: readonly SlideInput[] = [
      { kind: "bullets", title: "Revenue", points: ["Revenue was EUR 91 million in 2025", "Tideline leads"] },
      { kind: "closing", title: "Next", points: ["The board approved EUR 9,000 on 3 July 2026"] },
      {
        kind: "table",
        title: "Orders",
        columns: ["Region", "Orders"],
        rows: [
          ["North", 1204],
          ["West", 77],
        ],
      },
      { kind: "quote", quote: "We saved EUR 4 million", by: "Anna Berg" },
    ];
    expect(await unknownIn(slides)).toEqual([
      expect.stringMatching(/^2 point 1: .*91 million/),
      expect.stringMatching(/^3 point 1: .*3 July 2026/),
      expect.stringMatching(/^4 row 2: .*77/),
      expect.stringMatching(/^5 quote: .*4 million/),
    ]);
  });
});

test("a slide without sources may state what other slides prove, and nothing else", async () => {
  const proven: SlideInput = {
    kind: "bullets",
    title: "Margin",
    points: [{ text: "Margin: 62 %", sources: [margin] }],
  };
  const summary = (text: string): readonly SlideInput[] => [
    { kind: "bullets", title: "In short", points: [text] },
    proven,
    { kind: "closing", title: "To remember", points: [text] },
  ];
  expect(await foundIn(summary("The margin is 62 %"))).toEqual([]);
  // In a source, but on no slide.
  expect(await foundIn(summary("It was 58 % before"))).toEqual(["2 point 1: 58 %", "4 point 1: 58 %"]);
});

test("what another slide states without proof proves nothing", async () => {
  const slides: readonly SlideInput[] = [
    { kind: "bullets", title: "Margin", points: [{ text: "Margin: 71 %", sources: [margin] }] },
    { kind: "closing", title: "Margin: 71 %" },
  ];
  expect(await foundIn(slides)).toEqual(["2 point 1: 71 %", "3 title: 71 %"]);
});

test("figures of the presentation's title prove nothing on slides with sources", async () => {
  const slide: SlideInput = {
    kind: "bullets",
    title: "Margin: 71 %",
    points: [{ text: "Good", sources: [margin] }],
  };
  const { unverified } = await checkPresentation(
    presentationOf([slide], "Margin 71 % by Norrvik"),
    answerCheck,
  );
  expect(unverified.map(({ statement }) => statement.place)).toEqual(["title"]);
});

test("the presentation's title proves names and years on a slide without sources, but no figures", async () => {
  const sourced: SlideInput = {
    kind: "bullets",
    title: "Margin",
    points: [{ text: "Margin: 62 %", sources: [margin] }],
  };
  const bare = (text: string): SlideInput => ({ kind: "bullets", title: "In short", points: [text] });
  const slides = [sourced, bare("Margin is 71 %"), bare("Norrvik was at 62 % in 2025")];
  const { unverified } = await checkPresentation(
    presentationOf(slides, "Norrvik 2025: margin 71 %"),
    answerCheck,
  );
  expect(unverified.map(({ slide, finding }) => [slide, finding.detail])).toEqual([[3, "71 %"]]);
});

test("charts named in data count with their rows, and prove nothing without them", async () => {
  const chart = {
    v: 1 as const,
    id: "c",
    kind: "column" as const,
    title: "Margin by year",
    x: { field: "x", label: "Year", type: "category" as const },
    series: [{ field: "y", label: "Margin", type: "number" as const, unit: "%" }],
    rows: [
      { x: "2024", y: 58 },
      { x: "2025", y: 62 },
    ],
    provenance: { resultId: "r", query: "SELECT year, margin FROM margin", source: "margin.csv" },
  };
  const slide = (data: object, text: string): SlideInput => ({
    kind: "bullets",
    title: "Margin",
    points: [text],
    data: [data as never],
    sources: [sampleCitation("9", 1, "The margin is the share of revenue that is left.")],
  });
  expect(await foundIn([slide(chart, "62 % in 2025")])).toEqual([]);
  expect(await foundIn([slide(chart, "71 % in 2025")])).toEqual(["2 point 1: 71 %"]);
  const { query, source } = chart.provenance;
  expect(await foundIn([slide({ provenance: { query, source } }, "62 %")])).toEqual(["2 point 1: 62 %"]);
  const forged = { ...chart, foundBy: "me", rows: [{ x: "2025", y: 71 }] };
  expect(await foundIn([slide(forged, "71 % in 2025")])).toHaveLength(1);
});

test("Markdown in a statement hides nothing from the check", async () => {
  const slide = (text: string): SlideInput => ({
    kind: "bullets",
    title: "Margin",
    points: [{ text, sources: [margin] }],
  });
  for (const text of [
    "```\nMargin 71 %\n```",
    "| Margin 71 % |",
    "# Margin 71 %",
    "> 71 %",
    "---\n71 %",
    "1. 71 %",
  ])
    expect([text, await foundIn([slide(text)])]).toEqual([text, ["2 point 1: 71 %"]]);
});

test.each([
  ["EUR 18.7 million", ["2 heading of column 2: 18.7 million"]],
  ["EUR 12.4 million", []],
  ["93 %", ["2 heading of column 2: 93 %"]],
  ["2019", []],
  ["Siemens, option 2", []],
  ["EUR 1,000", []],
  ["EUR '000", []],
])("the heading of a column is compared where it has figures: %s", async (column, expected) => {
  const sources = [sampleCitation("1", 4, "Revenue was EUR 12.4 million. The margin was 71.2 %.")];
  const slide = {
    kind: "table" as const,
    title: "Revenue",
    columns: ["Metric", column],
    rows: [["Margin", "71.2 %"]],
    sources,
  };
  expect(await foundIn([slide])).toEqual(expected);
});

describe("the cost of a check", () => {
  const counting = () => {
    const calls: string[] = [];
    const check: typeof answerCheck = {
      ...answerCheck,
      check: (...args) => {
        calls.push("check");
        return answerCheck.check(...args);
      },
    };
    return { calls, check };
  };
  const growth = sampleCitation("2", 5, "Norrvik had 118 trials in 2025.");
  const slide = (...points: readonly string[]): SlideInput => ({
    kind: "bullets",
    title: "Margin",
    points: points.map((text) => ({ text, sources: [margin] })),
    more: [{ text: "118 trials", sources: [growth] }],
  });

  test("a slide of true statements is compared once", async () => {
    const { calls, check } = counting();
    const { unverified } = await checkPresentation(presentationOf([slide("58 % in 2024")]), check);
    expect([calls.length, unverified]).toEqual([1, []]);
  });

  test("only statements that other sources may prove are compared with those, and with counts", async () => {
    const { calls, check } = counting();
    const presentation = presentationOf([slide("71 % in 2024", "Norrvik had 118 trials")]);
    expect(checkSlide(presentation, 2, check)).toMatchObject([{ statement: { place: "point 1" } }]);
    expect(calls).toHaveLength(2);
  });

  test("slides that were compared are not compared again for one without sources, nor when saved", async () => {
    const { calls, check } = counting();
    const sourced = [slide("58 % in 2024"), slide("62 % in 2025")];
    for (const number of [2, 3]) expect(checkSlide(presentationOf(sourced), number, check)).toEqual([]);
    const closing: SlideInput = { kind: "closing", title: "It was 62 % in 2025" };
    calls.length = 0;
    expect(checkSlide(presentationOf([...sourced, closing]), 4, check)).toEqual([]);
    expect(calls).toHaveLength(1);
    await checkPresentation(presentationOf(sourced), check);
    expect(calls).toHaveLength(1);
    // Another text is another slide.
    const changed = presentationOf([sourced[0] ?? slide(), slide("71 % in 2024")]);
    expect((await checkPresentation(changed, check)).unverified).toMatchObject([{ slide: 3 }]);
  });

  test("other work goes on between two slides", async () => {
    const { calls, check } = counting();
    const summary: SlideInput = { kind: "agenda", title: "In short", items: ["62 % in 2025"] };
    const slides = [summary, slide("58 % in 2024"), slide("62 % in 2025")];
    setImmediate(() => setImmediate(() => calls.push("other work")));
    await checkPresentation(presentationOf(slides), check);
    expect(calls.slice(0, 3)).toEqual(["check", "other work", "check"]);
  });
});
