import { writeFileSync } from "node:fs";
import { join } from "node:path";

import JSZip from "jszip";

import { afterEach, expect, it } from "vitest";

import { cleanUp, temporaryFolder } from "../../testing/troupe.ts";
import { readText } from "./read-text.ts";

afterEach(cleanUp);

it("splits a long text between its paragraphs and loses nothing of it", async () => {
  const folder = temporaryFolder();
  const text = Array.from({ length: 500 }, (_, at) => `Paragraph ${at} says ${at * 7}.`).join("\n\n");
  writeFileSync(join(folder, "a.md"), text);
  const parts = await readText(folder, "a.md");
  expect(parts.length).toBeGreaterThan(1);
  expect(Math.max(...parts.map((part) => part.text.length))).toBeLessThanOrEqual(8_000);
  expect(parts.map((part) => part.text).join("\n\n")).toBe(text);
});

it("leaves out of slides what their structure says is no statement", async () => {
  const folder = temporaryFolder();
  const zip = new JSZip();
  const relations = (targets: readonly string[]): string =>
    `<Relationships>${targets.map((target, at) => `<Relationship Id="r${at}" Type="x/${/[a-z]+/i.exec(target.split("/").at(-1) ?? "")?.[0]}" Target="${target}"/>`).join("")}</Relationships>`;
  const shape = (name: string, text: string, placeholder = ""): string =>
    `<p:sp><p:cNvPr id="2" name="${name}"/>${placeholder === "" ? "" : `<p:ph type="${placeholder}"/>`}<a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp>`;
  const slides = [
    [shape("Title", "Goals", "title"), shape("Number 1", "01"), shape("Item 1", "Results so far")],
    [
      shape("Title", "Top 10 products", "title"),
      shape("Chart caption", "Revenue in 2025"),
      shape("Point 1", "Sales grew."),
      shape("Source line", "Data: sales.csv, p. 9"),
      shape("Footer Placeholder 4", "Board 2026", "ftr"),
      shape("Date", "12 March 2026", "dt"),
    ],
    [shape("Title", "Sources", "title"), shape("Sources table", "products.csv, slide 19")],
  ];
  const wrapped = (body: string): string => `<p:sld xmlns:p="p" xmlns:a="a">${body}</p:sld>`;
  zip.file(
    "ppt/presentation.xml",
    `<p:presentation xmlns:p="p" xmlns:r="r">${slides.map((_, at) => `<p:sldId r:id="r${at}"/>`).join("")}</p:presentation>`,
  );
  zip.file("ppt/_rels/presentation.xml.rels", relations(slides.map((_, at) => `slides/slide${at + 1}.xml`)));
  for (const [at, shapes] of slides.entries()) {
    zip.file(`ppt/slides/slide${at + 1}.xml`, wrapped(shapes.join("")));
    zip.file(
      `ppt/slides/_rels/slide${at + 1}.xml.rels`,
      relations([`../notesSlides/notesSlide${at + 1}.xml`, ...(at === 1 ? ["../charts/chart1.xml"] : [])]),
    );
    zip.file(`ppt/notesSlides/notesSlide${at + 1}.xml`, wrapped(shape("Notes", `Notes ${at + 1}.`)));
  }
  zip.file("ppt/charts/chart1.xml", '<c:chart xmlns:c="c"><c:cat><c:ptCount val="10"/></c:cat></c:chart>');
  writeFileSync(join(folder, "a.pptx"), await zip.generateAsync({ type: "uint8array" }));
  const title = { isTitle: true, given: [] };
  expect(await readText(folder, "a.pptx")).toEqual([
    { place: "slide 1", text: "Goals", ...title },
    { place: "slide 1", text: "Results so far" },
    { place: "notes of slide 1", text: "Notes 1.", given: ["1", "Results so far"] },
    { place: "slide 2", text: "Top 10 products", isTitle: true, given: ["10"] },
    { place: "slide 2", text: "Revenue in 2025", isTitle: true, given: ["10"] },
    { place: "slide 2", text: "Sales grew." },
    { place: "notes of slide 2", text: "Notes 2." },
    { place: "notes of slide 3", text: "Notes 3." },
  ]);
});
