import { unreachable } from "@troupe/stream";

import type { DeckSpec } from "../spec/deck-spec.ts";
import type { SlideSpec } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import { createCitationBook, documentName, type CitationBook } from "./citation-book.ts";
import { composeChart, isCited } from "./compose-chart.ts";
import { composeSources, type DataSource } from "./compose-sources.ts";
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

/**
 * Turns a spec into pages that each fit one slide, every word as it was written: a slide of the spec that holds more
 * continues on further pages.
 */
export function composeDeck(spec: DeckSpec, fits: ComposeContext["fits"]): readonly Page[] {
  const book = createCitationBook();
  const asked = spec.slides.findLastIndex((slide) => slide.kind === "sources");
  const shared = {
    book,
    fits,
    hasSourcesSlide: asked !== -1 || spec.sourcesSlide,
    ...(spec.company === undefined ? {} : { company: spec.company }),
  };
  // What stands on slides is numbered before what stands in notes only.
  for (const slide of spec.slides) {
    const { more: _, ...shown } = slide;
    if (shown.kind === "sources") book.mark(shown.sources);
    else composeSlide(shown, { ...shared, fits: () => true, from: undefined, sections: 0 });
  }
  const seen = book.all().length;
  const basis = basisOf(book, spec.slides);
  let sections = 0;
  const groups = spec.slides.map((slide, from): readonly Page[] | "sources" => {
    if (slide.kind === "section") sections += 1;
    return slide.kind === "sources"
      ? "sources"
      : composeSlide(slide, { ...shared, from, sections, ...basis });
  });

  const data = dataOf(spec.slides, groups, asked);
  const slide = spec.slides[asked];
  // After everything else is numbered: the list holds every citation wherever it stands.
  const sources = composeSources(
    { book, seen, data },
    {
      ...(slide?.title === undefined ? {} : { title: slide.title }),
      ...(slide?.notes === undefined ? {} : { notes: slide.notes }),
    },
    { ...shared, from: asked === -1 ? undefined : asked, sections: 0 },
  );
  const pages = groups.flatMap((group, i) => (group === "sources" ? (i === asked ? sources : []) : group));
  return asked === -1 && spec.sourcesSlide ? [...pages, ...sources] : pages;
}

/** `From AI Strategy 2026, Board paper and data on sales`; more than a few are counted. */
function basisOf(book: CitationBook, slides: readonly SlideSpec[]): { readonly basis?: string } {
  const documents = [...new Set(book.all().map(({ citation }) => documentName(citation)))];
  const files = new Set(slides.flatMap(filesBehind));
  const isLong = documents.length > MAX_NAMED || documents.join("").length > MAX_NAME_CHARS;
  const named = isLong
    ? [`${documents.length} ${documents.length === 1 ? "document" : "documents"}`]
    : documents;
  const data = [...files].map(subjectOf);
  const parts = [
    ...named,
    ...(files.size > MAX_NAMED ? [`${files.size} data sets`] : []),
    ...(files.size === 0 || files.size > MAX_NAMED ? [] : [`data on ${data.join(" and ")}`]),
  ];
  const last = parts.pop();
  if (last === undefined || documents.length === 0) return {};
  return { basis: `From ${parts.length === 0 ? last : `${parts.join(", ")} and ${last}`}` };
}

const MAX_NAMED = 2;
const MAX_NAME_CHARS = 120;

/** `order_lines.csv` is data on order lines. */
const subjectOf = (file: string): string =>
  cleanLine(file)
    .replace(/\.\w{2,5}$/, "")
    .replaceAll(/[_-]+/g, " ");

/** What the slides take their numbers from, with the numbers of those slides as far as the list of sources does not move them. */
function dataOf(
  slides: readonly SlideSpec[],
  groups: readonly (readonly Page[] | "sources")[],
  asked: number,
): readonly DataSource[] {
  const found = new Map<string, number[]>();
  let number = 1;
  for (const [i, slide] of slides.entries()) {
    const group = groups[i];
    for (const file of filesBehind(slide))
      found.set(file, [...(found.get(file) ?? []), ...(asked === -1 || i < asked ? [number] : [])]);
    if (group !== undefined && group !== "sources") number += group.length;
  }
  return [...found].map(([name, on]) => ({ name, slides: on }));
}

/** Of the chart of a slide, and of those whose numbers it states. */
const filesBehind = (slide: SlideSpec): readonly string[] => [
  ...new Set(
    [...(slide.kind === "chart" && !isCited(slide) ? [slide.chart] : []), ...(slide.data ?? [])].flatMap(
      ({ provenance }) => filesOf(provenance.source),
    ),
  ),
];

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
    case "closing":
      return composeClosing(slide, context);
    default:
      return unreachable(slide);
  }
}
