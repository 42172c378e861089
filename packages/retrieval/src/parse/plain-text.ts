import { PageBuilder } from "./page-builder.ts";
import type { RawDocument } from "./parsed-document.ts";

/** Plain text: blocks between blank lines; hard-wrapped prose is joined, all else kept line by line. */
export function parsePlainText(source: string): RawDocument {
  const page = new PageBuilder();
  for (const block of source.replace(/\r\n?/g, "\n").split(/\n[ \t]*(?=\n)/)) {
    const lines = block.split("\n").filter((line) => line.trim() !== "");
    if (isWrappedProse(lines)) page.line(lines.join(" "));
    else for (const [at, line] of lines.entries()) page.line(line, { tight: at > 0 });
  }
  return { mediaType: "text/plain", paged: false, pages: [page.build(1)], properties: {} };
}

/** Every line but the last is long, and none looks like an item, a row or a `key: value` pair. */
function isWrappedProse(lines: readonly string[]): boolean {
  if (lines.some((line) => /^\s*(?:[-*•|]|\d{1,3}[.)]\s)|\t|\S {3,}\S|^[\w ]{1,30}:\s/.test(line)))
    return false;
  return lines.slice(0, -1).every((line) => line.trim().length >= 45);
}
