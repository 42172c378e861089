import { escapeXml } from "../text/xml.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export interface Properties {
  readonly title: string;
  readonly author: string;
  readonly company: string;
  readonly slides: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `docProps/app.xml`: pptxgenjs leaves the company unescaped. */
export function appXml(p: Properties): string {
  return (
    `${HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><TotalTime>0</TotalTime>` +
    `<Application>Microsoft Office PowerPoint</Application><PresentationFormat>Widescreen</PresentationFormat><Slides>${p.slides}</Slides>` +
    `<Notes>${p.slides}</Notes><HiddenSlides>0</HiddenSlides><Company>${escapeXml(p.company)}</Company><AppVersion>16.0000</AppVersion></Properties>`
  );
}

export function coreXml(p: Properties): string {
  const time = new Date(p.now).toISOString().replace(/\.\d+Z$/, "Z");
  return (
    `${HEAD}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
    `<dc:title>${escapeXml(p.title)}</dc:title><dc:creator>${escapeXml(p.author)}</dc:creator><cp:lastModifiedBy>${escapeXml(p.author)}</cp:lastModifiedBy><cp:revision>1</cp:revision>` +
    `<dcterms:created xsi:type="dcterms:W3CDTF">${time}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${time}</dcterms:modified></cp:coreProperties>`
  );
}
