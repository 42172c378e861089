import { InputError } from "@troupe/core/errors";

import { DEFAULT_PARSE_LIMITS, type ParseLimits } from "./parsed-document.ts";
import { readXml } from "./xml.ts";
import { readZipTexts } from "./zip.ts";

/** A paragraph or table row a line, with an empty line between them. */
export interface SlideText {
  /** Position in the presentation, counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly notes: string;
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
      const notesOf = new Map(
        paths.flatMap((path) =>
          [...readTargets(read.get(relationshipsOf(path)), path).values()]
            .filter(({ type }) => type.endsWith("/notesSlide"))
            .map((target) => [path, target.path] as const),
        ),
      );
      const notes = readZipTexts(bytes, [...notesOf.values()], name, limits);
      for (const [index, path] of paths.entries())
        texts.push({
          number: at + index + 1,
          text: textOf(read.get(path)),
          notes: textOf(notes.get(notesOf.get(path) ?? "")),
        });
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

/** Fields, such as the number of the slide, are no text of it. */
function textOf(xml: string | undefined): string {
  const lines: string[] = [];
  let paragraph: string | undefined;
  let cells: string[] | undefined;
  let inText = false;
  let fields = 0;
  readXml(xml ?? "<p:sld/>", {
    open(element) {
      if (element === "a:tr") cells = [];
      else if (element === "a:tc") cells?.push("");
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
        if (cells === undefined) lines.push(line);
        else if (line !== "") cells.push(`${cells.pop() ?? ""} ${line}`.trim());
        paragraph = undefined;
      } else if (element === "a:tr") {
        lines.push(`| ${(cells ?? []).join(" | ")} |`);
        cells = undefined;
      }
    },
    text(text) {
      if (inText && fields === 0 && paragraph !== undefined) paragraph += text;
    },
  });
  return lines
    .filter((line) => line !== "")
    .map((line, at) => (line.startsWith("|") && lines[at + 1]?.startsWith("|") === true ? line : `${line}\n`))
    .join("\n")
    .trim();
}
