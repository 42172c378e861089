import { InputError } from "@troupe/core/errors";

import { DEFAULT_PARSE_LIMITS, type ParseLimits } from "./parsed-document.ts";
import { readXml } from "./xml.ts";
import { readZipTexts } from "./zip.ts";

/** A paragraph or table row a line, with an empty line between them. */
export interface SlideText {
  /** Position in the presentation, counted from 1. */
  readonly number: number;
  readonly text: string;
  /** The same text by shape, in order. */
  readonly shapes: readonly SlideShape[];
  readonly notes: string;
  /** The number of points of each chart, and of rows below the header of each table. */
  readonly counts: readonly number[];
  /** How many native charts it has. */
  readonly charts: number;
}

/** A text box, placeholder or table with text. */
export interface SlideShape {
  /** Empty where it has none. */
  readonly name: string;
  /** Type of a placeholder, such as `title`, `ftr` or `sldNum`; absent for other shapes. */
  readonly placeholder?: string;
  readonly text: string;
}

const PRESENTATION = "ppt/presentation.xml";
const SLIDES_AT_ONCE = 100;

/** Text and notes of the slides of a presentation, in their order. Throws an `InputError` that names the file. */
export function readSlides(
  bytes: Uint8Array,
  name: string,
  limits: ParseLimits = DEFAULT_PARSE_LIMITS,
): readonly SlideText[] {
  const parts = readZipTexts(bytes, [PRESENTATION, relationshipsOf(PRESENTATION)], name, limits);
  const presentation = parts.get(PRESENTATION);
  if (presentation === undefined)
    throw new InputError(
      "input.invalid",
      `"${name}" holds no ${PRESENTATION}, so it is not a presentation. Save it as .pptx again.`,
    );
  try {
    const targets = readTargets(parts.get(relationshipsOf(PRESENTATION)), PRESENTATION);
    const slides = slideIds(presentation).flatMap((id) => targets.get(id) ?? []);
    if (slides.length > limits.maxPages)
      throw new InputError(
        "input.too-large",
        `"${name}" has ${slides.length} slides; at most ${limits.maxPages} are read. Split it.`,
      );
    const texts: SlideText[] = [];
    for (let at = 0; at < slides.length; at += SLIDES_AT_ONCE) {
      const paths = slides.slice(at, at + SLIDES_AT_ONCE).map(({ path }) => path);
      const read = readZipTexts(bytes, [...paths, ...paths.map(relationshipsOf)], name, limits);
      const targetsOf = new Map(
        paths.map((path) => [path, [...readTargets(read.get(relationshipsOf(path)), path).values()]]),
      );
      const partsOf = (path: string, kind: string): readonly string[] =>
        (targetsOf.get(path) ?? []).flatMap((target) =>
          target.type.endsWith(`/${kind}`) ? [target.path] : [],
        );
      const related = readZipTexts(
        bytes,
        paths.flatMap((path) => [...partsOf(path, "notesSlide"), ...partsOf(path, "chart")]),
        name,
        limits,
      );
      for (const [index, path] of paths.entries()) {
        const { shapes, rows } = shapesOf(read.get(path));
        const [notes = ""] = partsOf(path, "notesSlide");
        texts.push({
          number: at + index + 1,
          text: joined(shapes.flatMap(({ lines }) => lines)),
          shapes: shapes.flatMap(({ lines, ...shape }) =>
            lines.length === 0 ? [] : [{ ...shape, text: joined(lines) }],
          ),
          notes: joined(shapesOf(related.get(notes)).shapes.flatMap(({ lines }) => lines)),
          counts: [...partsOf(path, "chart").flatMap((chart) => pointsOf(related.get(chart))), ...rows],
          charts: partsOf(path, "chart").length,
        });
      }
    }
    return texts;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      "input.invalid",
      `"${name}" has damaged XML inside. Open it in PowerPoint or LibreOffice and save it again.`,
      { cause: error },
    );
  }
}

function relationshipsOf(path: string): string {
  return path.replace(/([^/]+)$/, "_rels/$1.rels");
}

function slideIds(xml: string): readonly string[] {
  const ids: string[] = [];
  readXml(xml, {
    open(element, { "r:id": id }) {
      if (element === "p:sldId" && id !== undefined) ids.push(id);
    },
  });
  return ids;
}

interface Target {
  readonly type: string;
  readonly path: string;
}

/** Parts that a part refers to, by id. */
function readTargets(xml: string | undefined, from: string): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  if (xml === undefined) return targets;
  readXml(xml, {
    open(element, { Id: id, Type: type = "", Target: target, TargetMode: mode }) {
      if (element !== "Relationship" || id === undefined || target === undefined || mode === "External")
        return;
      targets.set(id, { type, path: new URL(target, `part:/${from}`).pathname.slice(1) });
    },
  });
  return targets;
}

interface ReadShape extends Omit<SlideShape, "text"> {
  /** Paragraphs, and rows of tables with cells between bars. */
  readonly lines: string[];
}

/** Fields, such as the number of the slide, are no text of it. */
function shapesOf(xml: string | undefined): {
  readonly shapes: readonly ReadShape[];
  readonly rows: readonly number[];
} {
  const shapes: ReadShape[] = [];
  const rows: number[] = [];
  let paragraph: string | undefined;
  let cells: string[] | undefined;
  let inText = false;
  let fields = 0;
  const push = (line: string): void => {
    if (shapes.length === 0) shapes.push({ name: "", lines: [] });
    if (line !== "") shapes.at(-1)?.lines.push(line);
  };
  readXml(xml ?? "<p:sld/>", {
    open(element, attributes) {
      if (element === "p:sp" || element === "p:graphicFrame") shapes.push({ name: "", lines: [] });
      else if (element === "p:cNvPr") name(shapes, { name: attributes["name"] ?? "" });
      else if (element === "p:ph") name(shapes, { placeholder: attributes["type"] ?? "body" });
      else if (element === "a:tbl") rows.push(-1);
      else if (element === "a:tr") {
        cells = [];
        rows.push((rows.pop() ?? 0) + 1);
      } else if (element === "a:tc") cells?.push("");
      else if (element === "a:p") paragraph = "";
      else if (element === "a:br" && paragraph !== undefined) paragraph += " ";
      else if (element === "a:fld") fields++;
      else if (element === "a:t") inText = true;
    },
    close(element) {
      if (element === "a:t") inText = false;
      else if (element === "a:fld") fields--;
      else if (element === "a:p") {
        const line = (paragraph ?? "").replaceAll(/\s+/g, " ").trim();
        if (cells === undefined) push(line);
        else if (line !== "") cells.push(`${cells.pop() ?? ""} ${line}`.trim());
        paragraph = undefined;
      } else if (element === "a:tr") {
        push(`| ${(cells ?? []).join(" | ")} |`);
        cells = undefined;
      }
    },
    text(text) {
      if (inText && fields === 0 && paragraph !== undefined) paragraph += text;
    },
  });
  return { shapes, rows };
}

/** The name and placeholder of a shape come before its text; those of a group belong to no shape. */
function name(shapes: ReadShape[], more: Partial<ReadShape>): void {
  const last = shapes.at(-1);
  if (last !== undefined && last.lines.length === 0) shapes.splice(-1, 1, { ...last, ...more });
}

function joined(lines: readonly string[]): string {
  return lines
    .map((line, at) => (line.startsWith("|") && lines[at + 1]?.startsWith("|") === true ? line : `${line}\n`))
    .join("\n")
    .trim();
}

/** The number of categories of a chart. */
function pointsOf(xml: string | undefined): readonly number[] {
  let inCategories = false;
  let points = 0;
  readXml(xml ?? "<c:chart/>", {
    open(element, { val }) {
      if (element === "c:cat") inCategories = true;
      else if (element === "c:ptCount" && inCategories) points = Math.max(points, Number(val) || 0);
    },
    close(element) {
      if (element === "c:cat") inCategories = false;
    },
  });
  return points === 0 ? [] : [points];
}
