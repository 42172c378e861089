import { readFrontMatter } from "./front-matter.ts";
import { inlineText } from "./inline-markdown.ts";
import { PageBuilder } from "./page-builder.ts";
import type { RawDocument } from "./parsed-document.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(.*)$/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const TABLE_RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*$/;

/**
 * Markdown as reading text: wrapped paragraphs joined, one list item or table row a line, headings
 * kept. Line by line and linear in its length; it reads what people write, not every corner of the
 * specification.
 */
export function parseMarkdown(source: string): RawDocument {
  const { properties, body } = readFrontMatter(source.replace(/\r\n?/g, "\n"));
  const page = new PageBuilder();
  let open: { text: string; tight: boolean } | undefined;
  let group: "none" | "list" | "table" | "code" = "none";
  let fence: string | undefined;

  const flush = (): void => {
    if (open) page.line(inlineText(open.text), { tight: open.tight });
    open = undefined;
  };

  for (const line of body.replace(/<!--[\s\S]*?-->/g, "").split("\n")) {
    if (fence !== undefined) {
      if (line.trim().startsWith(fence)) fence = undefined;
      else page.line(line, { tight: true });
      continue;
    }
    const opening = FENCE.exec(line)?.[1];
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    if (opening !== undefined) {
      flush();
      fence = opening;
      group = "code";
    } else if (line.trim() === "") {
      flush();
    } else if (heading?.[1] !== undefined) {
      flush();
      group = "none";
      page.heading(heading[1].length, inlineText(heading[2] ?? ""));
    } else if (open && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) {
      page.heading(line.includes("=") ? 1 : 2, inlineText(open.text));
      open = undefined;
      group = "none";
    } else if (RULE.test(line) || TABLE_RULE.test(line)) {
      flush();
    } else if (item) {
      flush();
      open = {
        text: `${item[1] === undefined ? "-" : `${item[1]}.`} ${item[3] ?? ""}`,
        tight: group === "list",
      };
      group = "list";
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      flush();
      page.line(tableRow(line), { tight: group === "table" });
      group = "table";
    } else if (open) {
      open.text += ` ${line.replace(/^\s*>\s?/, "").trim()}`;
    } else {
      if (group !== "list" || !/^\s{2,}/.test(line)) group = "none";
      open = { text: line.replace(/^\s*>\s?/, ""), tight: false };
    }
  }
  flush();
  return { mediaType: "text/markdown", paged: false, pages: [page.build(1)], properties };
}

function tableRow(line: string): string {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/);
  return cells.map((cell) => inlineText(cell)).join(" | ");
}
