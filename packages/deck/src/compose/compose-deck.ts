import type { DeckSpec } from "../spec/deck-spec.ts";
import type { SlideSpec } from "../spec/slide-schema.ts";
import { createCitationBook } from "./citation-book.ts";
import { composeChart } from "./compose-chart.ts";
import { composeSources } from "./compose-sources.ts";
import { composeTable } from "./compose-table.ts";
import {
  composeAgenda,
  composeBullets,
  composeClosing,
  composeColumns,
  composeCover,
  composeQuote,
  composeSection,
} from "./compose-text.ts";
import type { ComposeContext } from "./context.ts";
import type { Page } from "./page.ts";

/** Turns a spec into pages that each fit one slide; what had to leave a slide stands in its notes. */
export function composeDeck(spec: DeckSpec): readonly Page[] {
  const book = createCitationBook();
  // What stands on slides is numbered before what stands in notes only.
  for (const slide of spec.slides) {
    const { more: _, ...shown } = slide;
    if (shown.kind === "sources") book.mark(shown.sources);
    else composeSlide(shown, { book, from: undefined, sections: 0 });
  }
  let sections = 0;
  const groups = spec.slides.map((slide, from): readonly Page[] | "sources" => {
    if (slide.kind === "section") sections += 1;
    return slide.kind === "sources" ? "sources" : composeSlide(slide, { book, from, sections });
  });

  const charts = new Map<string, number>();
  for (const slide of spec.slides) {
    if (slide.kind !== "chart") continue;
    for (const file of filesOf(slide.chart.provenance.source)) charts.set(file, (charts.get(file) ?? 0) + 1);
  }
  const data = [...charts].map(([name, count]) => ({ name, charts: count }));
  const asked = spec.slides.findLastIndex((slide) => slide.kind === "sources");
  const slide = spec.slides[asked];
  // After everything else is numbered: the list holds every citation wherever it stands.
  const sources = composeSources(
    book,
    data,
    {
      ...(slide?.title === undefined ? {} : { title: slide.title }),
      ...(slide?.notes === undefined ? {} : { notes: slide.notes }),
    },
    asked === -1 ? undefined : asked,
  );
  const pages = groups.flatMap((group, i) => (group === "sources" ? (i === asked ? sources : []) : group));
  return asked === -1 ? [...pages, ...sources] : pages;
}

/** A chart over several files names them in a row; each is one source. */
function filesOf(source: string): readonly string[] {
  const parts = source.split(", ");
  return parts.every((part) => /\.\w{2,5}$/.test(part)) ? parts : [source];
}

function composeSlide(
  slide: Exclude<SlideSpec, { kind: "sources" }>,
  context: ComposeContext,
): readonly Page[] {
  switch (slide.kind) {
    case "title":
      return composeCover(slide, context);
    case "agenda":
      return composeAgenda(slide, context);
    case "section":
      return composeSection(slide, context);
    case "bullets":
      return composeBullets(slide, context);
    case "two-columns":
      return composeColumns(slide, context);
    case "chart":
      return composeChart(slide, context);
    case "table":
      return composeTable(slide, context);
    case "quote":
      return composeQuote(slide, context);
    default:
      return composeClosing(slide, context);
  }
}
