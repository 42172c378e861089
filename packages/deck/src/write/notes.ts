import { cleanText } from "../text/clean.ts";
import { escapeXml } from "../text/xml.ts";

/** Notes as paragraphs: pptxgenjs puts every line into one run. */
export function notesParagraphs(notes: string, language: string): string {
  const lines = cleanText(notes).split("\n");
  return lines
    .map((line) =>
      line === ""
        ? `<a:p><a:endParaRPr lang="${language}"/></a:p>`
        : `<a:p><a:r><a:rPr lang="${language}"/><a:t>${escapeXml(line)}</a:t></a:r></a:p>`,
    )
    .join("");
}
