import { chartXml } from "../chart/chart-xml.ts";
import { workbookParts } from "../chart/workbook.ts";
import type { ChartElement } from "../layout/element.ts";
import type { Theme } from "../spec/theme.ts";
import { edit } from "./mend.ts";
import { zipParts, type Parts } from "./zip.ts";

const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/package";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * Puts our chart parts and workbooks in place of the placeholders, numbered by slide: the generator
 * counts charts over the whole process, so its names differ from run to run.
 */
export async function replaceCharts(
  parts: Parts,
  slides: readonly (readonly ChartElement[])[],
  theme: Theme,
  language: string,
): Promise<void> {
  for (const name of parts.keys()) {
    if (/^ppt\/(charts|embeddings)\//.test(name)) parts.delete(name);
  }
  const names = new Map<string, string>();
  let n = 0;
  for (const [i, charts] of slides.entries()) {
    const rels = `ppt/slides/_rels/slide${i + 1}.xml.rels`;
    let next = 0;
    const first = n;
    edit(parts, rels, (xml) =>
      xml.replace(/\/?(?:ppt\/|\.\.\/)?charts\/(chart\d+\.xml)/g, (_, old: string) => {
        next += 1;
        names.set(old, `chart${first + next}.xml`);
        return `../charts/chart${first + next}.xml`;
      }),
    );
    for (const element of charts) {
      n += 1;
      parts.set(`ppt/charts/chart${n}.xml`, chartXml(element.chart, element.box, theme, language));
      parts.set(
        `ppt/charts/_rels/chart${n}.xml.rels`,
        `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${REL}" Target="../embeddings/workbook${n}.xlsx"/></Relationships>`,
      );
      parts.set(`ppt/embeddings/workbook${n}.xlsx`, await zipParts(workbookParts(element.chart)));
    }
  }
  edit(parts, "[Content_Types].xml", (xml) =>
    xml.replace(/\/ppt\/charts\/(chart\d+\.xml)/g, (whole, old: string) => {
      const renamed = names.get(old);
      return renamed === undefined ? whole : `/ppt/charts/${renamed}`;
    }),
  );
}
