import { InputError } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { createPptx } from "../adapters/pptxgen.ts";
import { layoutDeck } from "../layout/layout-deck.ts";
import type { ChartElement, DeckLayout, LaidSlide } from "../layout/element.ts";
import { GRID } from "../layout/grid.ts";
import { SOURCES_TABLE } from "../layout/names.ts";
import type { DeckSpec } from "../spec/deck-spec.ts";
import { themeNamed } from "../spec/theme.ts";
import { cleanLine } from "../text/clean.ts";
import { replaceCharts } from "./charts.ts";
import { draw } from "./draw.ts";
import { defineMasters } from "./masters.ts";
import { edit, mendParts } from "./mend.ts";
import { notesParagraphs } from "./notes.ts";
import { appXml, coreXml } from "./properties.ts";
import { escapeXml } from "../text/xml.ts";
import { unzip, zipParts } from "./zip.ts";

/** IANA media type of the result. */
export const PPTX_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation";

export interface WrittenDeck {
  readonly bytes: Uint8Array;
  readonly layout: DeckLayout;
}

/**
 * Lays a spec out and writes it as pptx. Deterministic: same spec and same time, same bytes. Throws an `InputError`
 * when there would be no slide: programs do not open such a file.
 */
export async function writeDeck(
  spec: DeckSpec,
  options: { readonly clock: Pick<Clock, "now"> },
): Promise<WrittenDeck> {
  const layout = layoutDeck(spec);
  if (layout.slides.length === 0)
    throw new InputError("input.invalid", `The presentation "${layout.title}" has no slides; add one first.`);
  const theme = themeNamed(spec.theme);
  const file = createPptx();
  file.defineLayout({ name: "troupe", width: GRID.slideWidth, height: GRID.slideHeight });
  file.layout = "troupe";
  file.theme = { headFontFace: theme.font, bodyFontFace: theme.font };
  file.title = layout.title;
  defineMasters(file, theme, layout.title, "Title");
  for (const laid of layout.slides) {
    const slide = file.addSlide({ masterName: laid.layout });
    for (const element of laid.elements) draw(slide, element, theme, spec.language);
  }

  const parts = await unzip(await file.write({ outputType: "uint8array" }));
  const charts = layout.slides.map((slide) =>
    slide.elements.filter((e): e is ChartElement => e.kind === "chart"),
  );
  await replaceCharts(parts, charts, theme, spec.language);
  mendParts(parts, theme);
  for (const [i, slide] of layout.slides.entries()) {
    edit(parts, `ppt/slides/slide${i + 1}.xml`, (xml) => withAltText(xml, slide));
    edit(parts, `ppt/notesSlides/notesSlide${i + 1}.xml`, (xml) =>
      xml.replace(
        /(<p:ph type="body" idx="1"\/>[^]*?<a:lstStyle\/>)[^]*?(<\/p:txBody>)/,
        (_, head: string, tail: string) => `${head}${notesParagraphs(slide.notes, spec.language)}${tail}`,
      ),
    );
  }
  const properties = {
    title: layout.title,
    author: cleanLine(spec.author ?? ""),
    company: cleanLine(spec.company ?? ""),
    slides: layout.slides.length,
    now: options.clock.now(),
  };
  parts.set("docProps/app.xml", appXml(properties));
  parts.set("docProps/core.xml", coreXml(properties));
  return { bytes: await zipParts(parts), layout };
}

const DECORATIVE =
  '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>';

const TABLE_FRAME = new RegExp(
  `<p:graphicFrame>\\s*<p:nvGraphicFramePr>\\s*<p:cNvPr id="\\d+" name="(?:Table|${SOURCES_TABLE})"`,
  "g",
);

/** Tables get their text for screen readers, which pptxgenjs has no option for; panels and bars are marked as decoration. */
function withAltText(xml: string, slide: LaidSlide): string {
  const tables = slide.elements.flatMap((element) => (element.kind === "table" ? [element.altText] : []));
  const shapes = slide.elements.flatMap((element) => (element.kind === "shape" ? [element.name] : []));
  return xml
    .replace(TABLE_FRAME, (start) => {
      const altText = tables.shift();
      return altText === undefined ? start : `${start} descr="${escapeXml(altText)}"`;
    })
    .replace(
      /<p:cNvPr (id="\d+" name="([^"]*)")\s*(?:\/>|><\/p:cNvPr>)/g,
      (whole, names: string, name: string) =>
        shapes.includes(name) ? `<p:cNvPr ${names}>${DECORATIVE}</p:cNvPr>` : whole,
    );
}
