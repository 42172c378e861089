import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { lintDeck } from "@troupe/deck";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { repository } from "../testing/commands.ts";
import { openToOthers } from "../testing/open-to-others.ts";
import { readPptx, type ReadSlide } from "../testing/read-pptx.ts";
import { cleanUp, runTroupe, temporaryFolder, type Finished } from "../testing/troupe.ts";

/** What carries a claim. */
const CLAIM = /^(Point \d+|Statement|Table|Chart|Quote)$/;

const textOf = (slide: ReadSlide | undefined, name: string): string =>
  slide?.shapes.find((shape) => shape.name === name)?.text ?? "";
const titleOf = (slide: ReadSlide | undefined): string => textOf(slide, "Title");
/** The year stands at its first quarter alone. */
const labelOf = (category: string): string => category.replace(/^(Q\d)\s.*$/s, "$1");
const marksIn = (text: string): readonly string[] => text.match(/\[\d+\]/g) ?? [];

/** The place stands there, with the words; or the words stand above it, as a sentence with the mark. */
function isBacked(notes: readonly string[], mark: string): boolean {
  const places = notes.filter((line) => line.startsWith(`${mark} `) && /, p\. \d+/.test(line));
  const sentence = notes.some((line) => line.startsWith("• ") && line.endsWith(` ${mark}`));
  return places.length > 0 && (sentence || places.some((line) => line.includes(": “")));
}

describe("the example, from nothing to its presentation without a model", () => {
  const home = join(temporaryFolder(), "home");
  let end: Finished;
  let bytes: Uint8Array;
  let slides: readonly ReadSlide[];
  let claiming: readonly ReadSlide[];
  beforeAll(async () => {
    // Made by somebody who did not think of others on the machine.
    mkdirSync(home, { mode: 0o755 });
    end = await runTroupe(["demo", "--playbook"], { home });
    const [, path = "no presentation is named"] =
      /^Files\n(?: {2}.+\n)*? {2}(.+\.pptx)$/m.exec(end.stdout) ?? [];
    if (dirname(path) !== join(home, "..", "out")) throw new Error(`${path}:\n${end.stdout}\n${end.stderr}`);
    bytes = readFileSync(path);
    slides = await readPptx(bytes);
    claiming = slides.filter(
      (slide) => titleOf(slide) !== "Sources" && slide.shapes.some(({ name }) => CLAIM.test(name)),
    );
  });
  afterAll(cleanUp);

  it("ends completed, having said once that no model is used", () => {
    expect(end.code).toBe(0);
    expect(end.stderr.match(/^No model key is set: .*playbook.*ANTHROPIC_API_KEY.*$/gm)).toHaveLength(1);
  });

  it("keeps everything in its home from others on the machine", () => {
    const { kept, open } = openToOthers(home);
    expect(kept).toEqual(
      expect.arrayContaining([
        "artifacts",
        "data",
        "decks",
        "logs",
        "retrieval",
        "run",
        "runs.db",
        "suspended",
        "tasks",
      ]),
    );
    expect(open).toEqual([]);
  });

  it("has eight slides or more, without a finding of the lint", async () => {
    expect(slides.length).toBeGreaterThanOrEqual(8);
    expect(await lintDeck(bytes)).toEqual([]);
  });

  it("names a source below every slide that claims something, and the others claim nothing", () => {
    const others = slides.filter((slide) => !claiming.includes(slide));
    expect(others.map(titleOf)).toEqual([titleOf(slides[0]), "Sources"]);
    const bare = claiming.filter(
      (slide) => !/^(\[\d+\] .*\bp\. \d+|Data: \S+\.csv)/.test(textOf(slide, "Source line")),
    );
    expect(bare.map(titleOf)).toEqual([]);
  });

  it("has the document, the page and the words behind every mark in the notes, and each statement a mark", () => {
    const bare: string[] = [];
    for (const { shapes, notes } of claiming) {
      const data = /^Data: .*Query: SELECT /m.test(notes);
      for (const { name, text } of shapes) {
        const told = notes.includes(`: ${text}`) && notes.startsWith("From the data on ");
        if (/^(?:Point |Statement$)/.test(name) && !data && !told && marksIn(text).length === 0)
          bare.push(text);
        for (const mark of marksIn(text))
          if (!isBacked(notes.split("\n"), mark)) bare.push(`${text}: ${mark} is not in the notes`);
      }
    }
    expect(bare).toEqual([]);
  });

  it("states nothing that its sources do not have", () => {
    expect(end.stdout).not.toContain("Not found in the sources");
    expect(slides.filter(({ notes }) => notes.includes("Not found in the sources"))).toEqual([]);
  });

  it("lists every document and file it draws on in the end", () => {
    const listed = textOf(slides.at(-1), "Sources table");
    expect(titleOf(slides.at(-1))).toBe("Sources");
    const lines = claiming.map((slide) => textOf(slide, "Source line"));
    const documents = lines.flatMap((line) =>
      [...line.matchAll(/\[\d+\] (?!p\. )(.+?), p\. /g)].map(([, name]) => name),
    );
    const files = lines.flatMap((line) => line.match(/[\w-]+\.csv/g) ?? []);
    expect(documents).not.toEqual([]);
    expect(files).toContain("sales.csv");
    for (const name of [...documents, ...files]) expect(listed.split("\n")).toContain(name);
  });

  it("shows in its native charts what the sales add up to", () => {
    const charts = slides.flatMap((slide) =>
      slide.charts.map((chart) => ({ title: titleOf(slide), ...chart })),
    );
    expect(charts.map(({ title }) => title)).toContain("Revenue by quarter");
    const shown = charts.map(({ title, series }) => ({
      title,
      series: series.map(({ categories, values }) =>
        values.map((value, i) => [labelOf(categories[i] ?? ""), Math.round(value * 100)]),
      ),
    }));
    const sales = readSales();
    const added = charts.map(({ title }) => ({
      title,
      series: [EXPECTED[title]?.(sales) ?? "nothing here adds this up"],
    }));
    expect(shown).toEqual(added);
  });
});

interface Sale {
  readonly date: string;
  readonly region: string;
  readonly channel: string;
  readonly cents: number;
}

type Rows = readonly (readonly [string, number])[];

/** What each chart shows, added up from the file: label and cents. */
const EXPECTED: { readonly [title: string]: (sales: readonly Sale[]) => Rows } = {
  "Revenue by quarter": (sales) =>
    sum(sales, ({ date }) => `${date.slice(0, 4)} Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([label, cents]) => [label.slice(5), cents]),
  "Revenue by region": (sales) => largest(sum(sales, ({ region }) => region)),
  "Revenue by channel": (sales) => largest(sum(sales, ({ channel }) => channel)),
};

const largest = (rows: Rows): Rows => rows.toSorted(([, a], [, b]) => b - a);

function sum(sales: readonly Sale[], by: (sale: Sale) => string): Rows {
  const totals = new Map<string, number>();
  for (const sale of sales) totals.set(by(sale), (totals.get(by(sale)) ?? 0) + sale.cents);
  return [...totals];
}

function readSales(): readonly Sale[] {
  return readCsv("sales").map((row) => ({
    date: row["order_date"] ?? "",
    region: row["region"] ?? "",
    channel: row["channel"] ?? "",
    cents: Math.round(Number(row["revenue_eur"]) * 100),
  }));
}

/** The generated files quote nothing. */
function readCsv(name: string): readonly { readonly [column: string]: string }[] {
  const file = join(repository, "examples", "norrvik", "data", `${name}.csv`);
  const [header = "", ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  const columns = header.split(",");
  return lines.map((line) =>
    Object.fromEntries(line.split(",").map((value, i) => [columns[i] ?? "", value])),
  );
}
