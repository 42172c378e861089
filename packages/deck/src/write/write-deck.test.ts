import type { ChartKind } from "@troupe/stream";
import { describe, expect, test } from "vitest";

import { deckSpecSchema, type DeckInput } from "../spec/deck-spec.ts";
import { sampleChart, sampleCitation, sampleDeck } from "../testing/samples.ts";
import { writeDeck } from "./write-deck.ts";
import { unzip, type Parts } from "./zip.ts";

const clock = { now: () => Date.UTC(2026, 10, 20, 9, 30) };

async function write(input: DeckInput): Promise<Parts> {
  return unzip((await writeDeck(deckSpecSchema.parse(input), { clock })).bytes);
}

const xml = (parts: Parts, name: string): string => String(parts.get(name) ?? "");

describe("writeDeck", () => {
  test.each<readonly DeckInput["slides"][number][]>([[], [{ kind: "sources" }]])(
    "refuses a deck without a slide: %j",
    async (...slides) => {
      await expect(
        writeDeck(deckSpecSchema.parse({ v: 1, title: "Plan", slides }), { clock }),
      ).rejects.toMatchObject({
        code: "input.invalid",
        message: 'The presentation "Plan" has no slides; add one first.',
      });
    },
  );

  test("a table has a text for screen readers, and what is decoration is marked as such", async () => {
    const columns = ["Region", 'A "b" & <c>'];
    const parts = await write({
      v: 1,
      title: "Deck",
      slides: [
        { kind: "table", title: "Sales", columns, rows: [["North", 1e300]] },
        { kind: "chart", title: "Chart", chart: sampleChart("column"), takeaways: ["It grows."] },
      ],
    });
    const text = "Table: Sales. 1 row, 2 columns: Region, A &quot;b&quot; &amp; &lt;c&gt;.";
    expect(xml(parts, "ppt/slides/slide1.xml")).toContain(`name="Table" descr="${text}"`);
    expect(xml(parts, "ppt/slides/slide1.xml")).toContain("<a:t>1.0E+300</a:t>");
    expect(xml(parts, "ppt/slides/slide2.xml")).toMatch(/name="Panel"><a:extLst>.*?decorative" val="1"/);
  });

  test("gives the same bytes for the same spec and time, whatever was written before", async () => {
    const first = await writeDeck(sampleDeck(), { clock });
    await writeDeck(sampleDeck(), { clock: { now: () => 0 } });
    const again = await writeDeck(sampleDeck(), { clock });
    expect(Buffer.compare(first.bytes, again.bytes)).toBe(0);
  });

  test.each<ChartKind>(["bar", "column", "line", "area", "pie", "scatter"])(
    "a %s chart has every digit of the rows in the chart and in its workbook",
    async (kind) => {
      const chart = sampleChart(kind);
      const parts = await write({ v: 1, title: "Deck", slides: [{ kind: "chart", title: "Sales", chart }] });
      const workbook = await unzip(parts.get("ppt/embeddings/workbook1.xlsx") as Uint8Array);
      for (const row of chart.rows) {
        expect(xml(parts, "ppt/charts/chart1.xml")).toContain(`<c:v>${row["revenue"]}</c:v>`);
        expect(xml(workbook, "xl/worksheets/sheet1.xml")).toContain(`<v>${row["revenue"]}</v>`);
      }
    },
  );

  test("a missing number is a gap, and zero is a number", async () => {
    const chart = {
      ...sampleChart("column"),
      rows: [
        { quarter: "a", revenue: 0 },
        { quarter: "b", revenue: null },
      ],
    };
    const parts = await write({ v: 1, title: "Deck", slides: [{ kind: "chart", title: "Sales", chart }] });
    const values = /<c:val>.*?<\/c:val>/.exec(xml(parts, "ppt/charts/chart1.xml"))?.[0];
    expect(values).toContain('<c:ptCount val="2"/><c:pt idx="0"><c:v>0</c:v></c:pt></c:numCache>');
  });

  test("on a line of few points a number stands below where the line goes up on either side", async () => {
    const rows = [18, 15, 21, 24].map((revenue, i) => ({ quarter: `Q${i}`, revenue }));
    const chart = { ...sampleChart("line"), rows };
    const parts = await write({ v: 1, title: "Deck", slides: [{ kind: "chart", title: "Sales", chart }] });
    const below = xml(parts, "ppt/charts/chart1.xml").matchAll(
      /<c:dLbl><c:idx val="(\d+)"\/>.*?<c:dLblPos val="b"\/>/g,
    );
    expect([...below].map(([, index]) => index)).toEqual(["1"]);
  });

  test("a title is one for every program, and text of a right-to-left script runs that way", async () => {
    const parts = await write({
      v: 1,
      title: "Deck",
      slides: [{ kind: "bullets", title: "T", points: ["إنذارات", "alarms"] }],
    });
    const slide = xml(parts, "ppt/slides/slide1.xml");
    expect(slide).toContain('<p:ph type="title"/>');
    expect(xml(parts, "ppt/slideLayouts/slideLayout3.xml")).toContain('<p:ph type="title"/>');
    expect(slide.match(/rtl="1"/g)).toHaveLength(1);
  });

  test("text that XML cannot hold leaves the file well-formed and readable", async () => {
    const parts = await write({
      v: 1,
      title: "A & B <deck> \u0000\u0007",
      company: "Smith & Sons <Ltd>",
      author: 'O"Brien',
      slides: [{ kind: "bullets", title: "R&D \uD800 <b>", points: ["x\u0001y & z", "]]> <a:t>"] }],
    });
    expect(xml(parts, "docProps/app.xml")).toContain("<Company>Smith &amp; Sons &lt;Ltd&gt;</Company>");
    expect(xml(parts, "docProps/core.xml")).toContain("<dc:title>A &amp; B &lt;deck&gt;</dc:title>");
    const slide = xml(parts, "ppt/slides/slide1.xml");
    expect(slide).toContain("<a:t>R&amp;D \uFFFD &lt;b&gt;</a:t>");
    expect(slide).toContain("<a:t>xy &amp; z</a:t>");
  });

  test("the package names only what it holds", async () => {
    const parts = await unzip((await writeDeck(sampleDeck(), { clock })).bytes);
    const types = xml(parts, "[Content_Types].xml");
    for (const [, part] of types.matchAll(/PartName="\/([^"]+)"/g)) expect(parts.has(part ?? "")).toBe(true);
    expect([...parts.keys()].filter((name) => name.endsWith("/"))).toEqual([]);
  });

  test("one paragraph has one set of properties, and shape ids are unique on a slide", async () => {
    const parts = await unzip((await writeDeck(sampleDeck(), { clock })).bytes);
    for (const [name, data] of parts) {
      if (!name.startsWith("ppt/slides/slide") || typeof data !== "string") continue;
      for (const [paragraph] of data.matchAll(/<a:p>.*?<\/a:p>/g))
        expect(paragraph.split("<a:pPr").length).toBeLessThan(3);
      const ids = [...data.matchAll(/<p:cNvPr id="(\d+)"/g)].map((m) => m[1]);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test("notes hold the quote with document and page, each line a paragraph", async () => {
    const source = sampleCitation("1", 4, "Visits fell by 38 %.");
    const parts = await write({
      v: 1,
      title: "Deck",
      slides: [
        {
          kind: "bullets",
          title: "T",
          notes: "Say this.\nThen that.",
          points: [{ text: "Fewer visits", sources: [source] }],
        },
      ],
    });
    const notes = xml(parts, "ppt/notesSlides/notesSlide1.xml");
    expect(notes).toContain("<a:t>Say this.</a:t></a:r></a:p><a:p>");
    expect(notes).toContain("<a:t>[1] AI Strategy 2026, p. 4: “Visits fell by 38 %.”</a:t>");
  });
});
