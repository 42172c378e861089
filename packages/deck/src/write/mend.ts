import type { Theme } from "../spec/theme.ts";
import type { Parts } from "./zip.ts";

const THEME_TYPE = "application/vnd.openxmlformats-officedocument.theme+xml";

/** Mends what pptxgenjs writes against the schema, part by part. Charts, notes and properties are replaced elsewhere. */
export function mendParts(parts: Parts, theme: Theme): void {
  for (const [name, data] of parts) {
    if (typeof data !== "string") continue;
    if (/^ppt\/(slides|slideLayouts|slideMasters)\/[^/]+\.xml$/.test(name)) parts.set(name, mendShapes(data));
  }
  edit(parts, "ppt/presentation.xml", mendOrder);
  edit(parts, "ppt/theme/theme1.xml", (xml) => themeColors(xml, theme));
  edit(parts, "ppt/slideMasters/slideMaster1.xml", (xml) =>
    xml.replace(
      /(<p:titleStyle>\s*<a:lvl1pPr algn=")ctr("[^]*?<a:defRPr sz=")4400"/,
      `$1l$2${theme.sizes.title * 100}" b="1"`,
    ),
  );
  ownNotesTheme(parts);
  mendContentTypes(parts);
}

export function edit(parts: Parts, name: string, change: (xml: string) => string): void {
  const xml = parts.get(name);
  if (typeof xml === "string") parts.set(name, change(xml));
}

/** One `pPr` a paragraph, unique shape ids, a background that ends as the schema wants, a title that programs find. */
function mendShapes(xml: string): string {
  let id = 1;
  return (
    xml
      .replace(/(<\/a:r>)<a:pPr\b[^>]*?(?:\/>|>[^]*?<\/a:pPr>)/g, "$1")
      .replace(/<p:cNvPr id="\d+"/g, () => `<p:cNvPr id="${id++}"`)
      .replace(/(<p:bgPr>(?:(?!<a:effectLst)[^])*?)(<\/p:bgPr>)/g, "$1<a:effectLst/>$2")
      // A title has index 0, which is left out; programs look for it by that.
      .replace(/<p:ph\s+idx="\d+"\s+type="title"\s+hasCustomPrompt="1"\s*\/>/g, '<p:ph type="title"/>')
      .replaceAll("<a:tblPr/>", '<a:tblPr firstRow="1"/>')
  );
}

/** `notesMasterIdLst` stands between the masters and the slides. */
function mendOrder(xml: string): string {
  const notes = /<p:notesMasterIdLst>[^]*?<\/p:notesMasterIdLst>/.exec(xml)?.[0];
  if (notes === undefined) return xml;
  return xml.replace(notes, "").replace("<p:sldIdLst>", `${notes}<p:sldIdLst>`);
}

/** The deck's colours as the file's theme, so that what a person adds later matches. */
function themeColors(xml: string, theme: Theme): string {
  const { colors } = theme;
  const accents = colors.chart
    .slice(0, 6)
    .map((c, i) => `<a:accent${i + 1}><a:srgbClr val="${c}"/></a:accent${i + 1}>`);
  const scheme =
    `<a:clrScheme name="Troupe ${theme.name}"><a:dk1><a:srgbClr val="${colors.ink}"/></a:dk1><a:lt1><a:srgbClr val="${colors.background}"/></a:lt1>` +
    `<a:dk2><a:srgbClr val="${colors.muted}"/></a:dk2><a:lt2><a:srgbClr val="${colors.panel}"/></a:lt2>${accents.join("")}` +
    `<a:hlink><a:srgbClr val="${colors.accent}"/></a:hlink><a:folHlink><a:srgbClr val="${colors.muted}"/></a:folHlink></a:clrScheme>`;
  return xml.replace(/<a:clrScheme [^]*?<\/a:clrScheme>/, scheme);
}

/** PowerPoint repairs a file whose notes master shares its theme with the slide master. */
function ownNotesTheme(parts: Parts): void {
  const theme = parts.get("ppt/theme/theme1.xml");
  if (theme === undefined || !parts.has("ppt/notesMasters/notesMaster1.xml")) return;
  parts.set("ppt/theme/theme2.xml", theme);
  edit(parts, "ppt/notesMasters/_rels/notesMaster1.xml.rels", (xml) =>
    xml.replace("theme1.xml", "theme2.xml"),
  );
  edit(parts, "[Content_Types].xml", (xml) =>
    xml.replace(
      "</Types>",
      `<Override PartName="/ppt/theme/theme2.xml" ContentType="${THEME_TYPE}"/></Types>`,
    ),
  );
}

/** Content types name only what the package holds. */
function mendContentTypes(parts: Parts): void {
  const extensions = new Set([...parts.keys()].map((name) => name.slice(name.lastIndexOf(".") + 1)));
  edit(parts, "[Content_Types].xml", (xml) =>
    xml
      .replace(/\s*<Override PartName="\/([^"]+)"[^>]*\/>/g, (whole, part: string) =>
        parts.has(part) ? whole.trim() : "",
      )
      .replace(/<Default Extension="([^"]+)"[^>]*\/>/g, (whole, ext: string) =>
        extensions.has(ext) ? whole : "",
      ),
  );
}
