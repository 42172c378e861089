import JSZip from "jszip";

/** A native chart as its part holds it. */
export interface ReadChart {
  readonly series: readonly {
    readonly name: string;
    readonly categories: readonly string[];
    readonly values: readonly number[];
  }[];
}

export interface ReadSlide {
  /** Text of every shape and table with any, and charts, by the name of the shape; a paragraph a line. */
  readonly shapes: readonly { readonly name: string; readonly text: string }[];
  readonly notes: string;
  readonly charts: readonly ReadChart[];
}

/** What stands on the slides of a presentation, told apart from the code that writes them. */
export async function readPptx(bytes: Uint8Array): Promise<readonly ReadSlide[]> {
  const zip = await JSZip.loadAsync(bytes);
  const part = (name: string): Promise<string> => zip.file(name)?.async("string") ?? Promise.resolve("");
  const slides: ReadSlide[] = [];
  for (let number = 1; zip.file(`ppt/slides/slide${number}.xml`) !== null; number++) {
    const related = await part(`ppt/slides/_rels/slide${number}.xml.rels`);
    const targets = (pattern: RegExp): Promise<string[]> =>
      Promise.all([...related.matchAll(pattern)].map(([, name]) => part(`ppt/${name}`)));
    const [notes] = await targets(/Target="[^"]*\/(notesSlides\/[^"]+)"/g);
    slides.push({
      shapes: elements(await part(`ppt/slides/slide${number}.xml`), "p:sp", "p:graphicFrame").map((xml) => ({
        name: decode(/<p:cNvPr [^>]*name="([^"]*)"/.exec(xml)?.[1] ?? ""),
        text: textOf(xml),
      })),
      notes: textOf(notes ?? ""),
      charts: (await targets(/Target="[^"]*\/(charts\/[^"]+)"/g)).map(readChart),
    });
  }
  return slides;
}

function readChart(xml: string): ReadChart {
  const points = (series: string, tag: string): string[] =>
    elements(series, tag).flatMap((of) => elements(of, "c:v").map((v) => decode(inner(v))));
  return {
    series: elements(xml, "c:ser").map((series) => ({
      name: points(series, "c:tx").join(""),
      categories: points(series, "c:cat"),
      values: points(series, "c:val").map(Number),
    })),
  };
}

/** Elements of these names, none of which holds another of them. */
function elements(xml: string, ...names: readonly string[]): readonly string[] {
  return [...xml.matchAll(new RegExp(`<(${names.join("|")})(?: [^>]*)?>.*?</\\1>`, "gs"))].map(
    ([all]) => all,
  );
}

const textOf = (xml: string): string =>
  elements(xml, "a:p")
    .map((paragraph) =>
      elements(paragraph, "a:t")
        .map((t) => decode(inner(t)))
        .join(""),
    )
    .join("\n");

const inner = (xml: string): string => xml.slice(xml.indexOf(">") + 1, xml.lastIndexOf("<"));

const ENTITIES: { readonly [name: string]: string } = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const decode = (text: string): string =>
  text.replaceAll(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all);
