import { withoutComments } from "./comments.ts";
import { fenceAfter } from "./fences.ts";
import { readFrontMatter } from "./front-matter.ts";
import { withoutHiddenElements } from "./hidden-elements.ts";
import { inlineText } from "./inline-markdown.ts";
import { PageBuilder } from "./page-builder.ts";
import type { RawDocument } from "./parsed-document.ts";
import { withoutStruckElements } from "./struck-out.ts";

// None looks for an end that may not be there behind something that repeats: on a long line that takes
// quadratic time. `s`, so that `.*` takes the whole rest whatever is in it.
const HEADING = /^ {0,3}(#{1,6})[ \t](.*)$/s;
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])[ \t]+(.*)$/s;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/**
 * Markdown as reading text: wrapped paragraphs joined, one list item or table row a line, headings
 * kept. Line by line and linear in its length; it reads what people write, not every corner of the
 * specification.
 */
export function parseMarkdown(source: string): RawDocument {
  const { properties, body } = readFrontMatter(source.replace(/\r\n?/g, "\n"));
  const page = new PageBuilder();
  let open: { mark: string; text: string; tight: boolean } | undefined;
  let group: "none" | "list" | "table" | "code" = "none";
  let fence: string | undefined;

  const flush = (): void => {
    const text = open ? inlineText(open.text) : "";
    // An item of which nothing is left is no item.
    if (open && text !== "") page.line(open.mark + text, { tight: open.tight });
    open = undefined;
  };

  const shown = withoutHiddenElements(withoutComments(body));
  page.hide(shown.hidden);
  for (const line of withoutStruckElements(shown.text).split("\n")) {
    const inCode = fence !== undefined;
    fence = fenceAfter(line, fence);
    if (inCode) {
      if (fence !== undefined) page.line(line, { tight: true });
      continue;
    }
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    if (fence !== undefined) {
      flush();
      group = "code";
    } else if (line.trim() === "") {
      flush();
    } else if (heading?.[1] !== undefined) {
      flush();
      group = "none";
      page.heading(heading[1].length, inlineText(withoutClosingMarks(heading[2] ?? "")));
    } else if (open && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) {
      page.heading(line.includes("=") ? 1 : 2, open.mark + inlineText(open.text));
      open = undefined;
      group = "none";
    } else if (RULE.test(line) || isTableRule(line)) {
      flush();
    } else if (item) {
      flush();
      open = {
        mark: item[1] === undefined ? "- " : `${item[1]}. `,
        text: (item[2] ?? "").replace(/^\[[ xX]\][ \t]/, ""),
        tight: group === "list",
      };
      group = "list";
    } else if (line.trim().startsWith("|") && line.trim().endsWith("|")) {
      flush();
      page.line(tableRow(line), { tight: group === "table" });
      group = "table";
    } else if (open) {
      open.text += ` ${line.replace(/^\s*>\s?/, "").trim()}`;
    } else {
      if (group !== "list" || !/^\s{2,}/.test(line)) group = "none";
      open = { mark: "", text: line.replace(/^\s*>\s?/, ""), tight: false };
    }
  }
  flush();
  return { mediaType: "text/markdown", paged: false, pages: [page.build(1)], properties };
}

/** `## Title ##` is closed by marks that say nothing; `C#` is not. */
function withoutClosingMarks(heading: string): string {
  const text = heading.trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text;
}

/** The line between a table's head and its rows: dashes in every cell. */
function isTableRule(line: string): boolean {
  const text = line.trim();
  if (!text.includes("|")) return false;
  const inner = text.slice(text.startsWith("|") ? 1 : 0, text.endsWith("|") ? -1 : undefined);
  return inner.split("|").every((cell) => /^:?-+:?$/.test(cell.trim()));
}

function tableRow(line: string): string {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/);
  const texts = cells.map((cell) => inlineText(cell));
  // A row of which all is struck out is gone; one that has no words in some cells keeps their places.
  return texts.every((text) => text === "") ? "" : texts.join(" | ");
}
