import { strToU8, zipSync } from "fflate";
import { expect, it } from "vitest";

import { readSlides } from "./pptx.ts";

const relationships = (targets: { readonly [id: string]: readonly [type: string, target: string] }): string =>
  `<Relationships>${Object.entries(targets)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;
const paragraphs = (...texts: readonly string[]): string =>
  texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("");
const slide = (body: string): string => `<p:sld xmlns:p="p" xmlns:a="a">${body}</p:sld>`;

const deck = (parts: { readonly [path: string]: string }): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])));

const parts = {
  "ppt/presentation.xml":
    '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="1" r:id="rId3"/><p:sldId id="2" r:id="rId2"/></p:sldIdLst></p:presentation>',
  "ppt/_rels/presentation.xml.rels": relationships({
    rId2: ["slide", "slides/slide1.xml"],
    rId3: ["slide", "/ppt/slides/slide7.xml"],
  }),
  "ppt/slides/slide7.xml": slide(
    `${paragraphs("Sales grew", "Margin is 71 %.")}<a:p><a:fld type="slidenum"><a:t>1</a:t></a:fld></a:p>`,
  ),
  "ppt/slides/_rels/slide7.xml.rels": relationships({
    rId1: ["notesSlide", "../notesSlides/notesSlide1.xml"],
  }),
  "ppt/notesSlides/notesSlide1.xml": slide(paragraphs("Say this.")),
  "ppt/slides/slide1.xml": slide(
    `<a:tbl><a:tr><a:tc>${paragraphs("Region")}</a:tc><a:tc>${paragraphs("EUR")}</a:tc></a:tr><a:tr><a:tc>${paragraphs("North")}</a:tc><a:tc>${paragraphs("2", "40")}</a:tc></a:tr></a:tbl><a:p><a:r><a:t>A </a:t></a:r><a:br/><a:r><a:t>&amp; B</a:t></a:r></a:p>`,
  ),
};

it("reads slides in the order of the presentation, with their notes and tables, without fields", () => {
  expect(readSlides(deck(parts), "a.pptx")).toEqual([
    {
      number: 1,
      text: "Sales grew\n\nMargin is 71 %.",
      shapes: [{ name: "", text: "Sales grew\n\nMargin is 71 %." }],
      notes: "Say this.",
      counts: [],
      charts: 0,
    },
    {
      number: 2,
      text: "| Region | EUR |\n| North | 2 40 |\n\nA & B",
      shapes: [{ name: "", text: "| Region | EUR |\n| North | 2 40 |\n\nA & B" }],
      notes: "",
      counts: [1],
      charts: 0,
    },
  ]);
});

it("gives the text of each shape with its name and what it is a placeholder of, and the points of charts", () => {
  const shape = (name: string, text: string, placeholder = ""): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="${name}"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr>${paragraphs(text)}</p:sp>`;
  const body = [
    shape("Title", "Top 10 products", '<p:ph type="title"/>'),
    shape("Point 1", "Sales grew"),
    shape("Footer", "Board 2026", '<p:ph type="ftr"/>'),
    '<p:graphicFrame><p:cNvPr id="3" name="Chart"/></p:graphicFrame>',
  ];
  const file = {
    ...parts,
    "ppt/slides/slide7.xml": slide(`<p:spTree><p:cNvPr id="1" name=""/>${body.join("")}</p:spTree>`),
    "ppt/slides/_rels/slide7.xml.rels": relationships({ rId1: ["chart", "../charts/chart1.xml"] }),
    "ppt/charts/chart1.xml":
      '<c:chart xmlns:c="c"><c:cat><c:ptCount val="10"/></c:cat><c:val><c:ptCount val="30"/></c:val></c:chart>',
  };
  expect(readSlides(deck(file), "a.pptx")[0]).toEqual({
    number: 1,
    text: "Top 10 products\n\nSales grew\n\nBoard 2026",
    shapes: [
      { name: "Title", placeholder: "title", text: "Top 10 products" },
      { name: "Point 1", text: "Sales grew" },
      { name: "Footer", placeholder: "ftr", text: "Board 2026" },
    ],
    notes: "",
    counts: [10],
    charts: 1,
  });
});

it("says of a file that is no presentation, or damaged, what to do", () => {
  expect(() => readSlides(deck({ "word/document.xml": "<a/>" }), "a.pptx")).toThrow(
    '"a.pptx" holds no ppt/presentation.xml, so it is not a presentation.',
  );
  expect(() => readSlides(new Uint8Array([1, 2]), "a.pptx")).toThrow("a .pptx file is. Save it again");
  const torn = { ...parts, "ppt/slides/slide1.xml": "<p:sld><a:p>" };
  expect(() => readSlides(deck(torn), "a.pptx")).toThrow("damaged XML");
  expect(() =>
    readSlides(deck(parts), "a.pptx", { maxBytes: 1, maxPages: 1, maxTextChars: 1, maxUnpackedBytes: 9_999 }),
  ).toThrow("has 2 slides; at most 1");
});
