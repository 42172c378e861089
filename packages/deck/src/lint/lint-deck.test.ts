import { describe, expect, test } from "vitest";

import { sampleDeck } from "../testing/samples.ts";
import { writeDeck } from "../write/write-deck.ts";
import { unzip, zipParts, type Parts } from "../write/zip.ts";
import { contrastRatio } from "./contrast.ts";
import { lintDeck } from "./lint-deck.ts";

const SLIDE = "ppt/slides/slide4.xml";
const written = writeDeck(sampleDeck(), { clock: { now: () => 0 } });

/** The sample deck with one part changed. */
async function broken(change: (parts: Parts) => void): Promise<readonly string[]> {
  const parts = await unzip((await written).bytes);
  change(parts);
  return (await lintDeck(await zipParts(parts))).map(
    ({ rule, slide, message }) => `${slide ?? "-"} ${rule}: ${message}`,
  );
}

const edit = (name: string, change: (xml: string) => string) => (parts: Parts) => {
  const before = String(parts.get(name));
  const after = change(before);
  expect(after).not.toBe(before);
  parts.set(name, after);
};

describe("lintDeck", () => {
  test("finds nothing in what we write", async () => {
    expect(await lintDeck((await written).bytes)).toEqual([]);
  });

  test("a table or chart without alternative text", async () => {
    const parts = await unzip((await written).bytes);
    const slides = [...parts].filter(
      ([, xml]) => typeof xml === "string" && xml.includes("<p:graphicFrame>"),
    );
    expect(slides.length).toBeGreaterThan(1);
    for (const [name] of slides) parts.set(name, String(parts.get(name)).replaceAll(/ descr="[^"]*"/g, ""));
    const problems = await lintDeck(await zipParts(parts));
    const found = problems.filter(({ rule }) => rule === "alt-text").map(({ message }) => message);
    expect(found.some((message) => message.startsWith('"Table"'))).toBe(true);
    expect(found.some((message) => message.startsWith('"Chart"'))).toBe(true);
  });

  test("text that runs over its box", async () => {
    const problems = await broken(
      edit(SLIDE, (xml) => xml.replace("Field visits fall", "Field visits fall ".repeat(60))),
    );
    expect(problems.join("\n")).toMatch(/4 overflow: "Point 1" needs/);
  });

  test("a shape past the edge, and shapes over one another", async () => {
    const off = await broken(
      edit(SLIDE, (xml) => xml.replace(/(name="Point 1".*?<a:off x=")\d+/, "$111000000")),
    );
    expect(off.join("\n")).toMatch(/4 off-slide: "Point 1"/);
    const over = await broken(
      edit(SLIDE, (xml) => xml.replace(/(name="Point 1".*?<a:off x=")\d+/, "$14200000")),
    );
    expect(over.join("\n")).toMatch(/4 overlap: "Point 1" and "Point 2"/);
  });

  test("small type and weak contrast", async () => {
    const problems = await broken(
      edit(SLIDE, (xml) =>
        xml.replace(/(name="Point 1".*?<a:rPr[^>]*?sz=")\d+(".*?<a:srgbClr val=")\w+/, "$1900$2DDDDDD"),
      ),
    );
    expect(problems.join("\n")).toMatch(/4 font-size: "Point 1" has text of 9 pt/);
    expect(problems.join("\n")).toMatch(/4 contrast: "Point 1": #DDDDDD on #F1F5F8/);
  });

  test("an empty placeholder and a title of three lines", async () => {
    const empty = await broken(edit(SLIDE, (xml) => xml.replace(/(type="title".*?)<a:r>.*?<\/a:r>/s, "$1")));
    expect(empty.join("\n")).toMatch(/4 empty-placeholder: The placeholder "Title"/);
    const long = await broken(
      edit(SLIDE, (xml) => xml.replace("Predictive calibration is", "Predictive calibration is ".repeat(9))),
    );
    expect(long.join("\n")).toMatch(/4 title-lines: The title takes \d lines/);
  });

  test("parts that dangle or do not parse", async () => {
    expect(await broken((parts) => parts.set("ppt/media/left.png", new Uint8Array([1])))).toEqual([
      '- dangling-part: Nothing points to the part "ppt/media/left.png".',
      '- dangling-part: "ppt/media/left.png" has no content type.',
    ]);
    const missing = await broken((parts) => parts.delete("ppt/charts/chart1.xml"));
    expect(missing.join("\n")).toMatch(/points to "ppt\/charts\/chart1.xml", which is not in the file/);
    const malformed = await broken(edit(SLIDE, (xml) => xml.replace("</p:sld>", "")));
    expect(malformed.join("\n")).toMatch(/malformed-part: "ppt\/slides\/slide4.xml"/);
    const entity = await broken(
      edit(SLIDE, (xml) => xml.replace("<p:sld ", '<!DOCTYPE a [<!ENTITY x "y">]><p:sld ')),
    );
    expect(entity.join("\n")).toMatch(/a document type is not allowed/);
  });

  test("a file that is no pptx", async () => {
    expect(await lintDeck(new TextEncoder().encode("not a zip"))).toMatchObject([{ rule: "malformed-part" }]);
    expect(await lintDeck(await zipParts(new Map([["a.xml", "<a/>"]])))).toContainEqual({
      rule: "malformed-part",
      message: "The file has no ppt/presentation.xml.",
    });
  });
});

test("contrast is that of WCAG", () => {
  expect(contrastRatio("000000", "FFFFFF")).toBeCloseTo(21, 5);
  expect(contrastRatio("777777", "FFFFFF")).toBeCloseTo(4.48, 2);
});
