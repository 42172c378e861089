import { expect, it } from "vitest";

import { parseMarkdown } from "./markdown.ts";
import { parsePlainText } from "./plain-text.ts";

const LENGTH = 1_000_000;
const long = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length));

// At this length what takes quadratic time never ends, on any machine.
it.each([
  ["marks of a heading", `# ${long(" #")}x`],
  ["spaces of a heading", `# x${long(" ")}x\u2028`],
  ["spaces of an item", `- [x] ${long(" ")}\u2028`],
  ["cells of a table's line", `|${long("-|")}x`],
  ["spaces of a table's line", `|-|${long(" ")}x`],
  ["spaces in front of one", `${long(" ")}-|x`],
  ["comments that do not end", long("<!--")],
  ["comments that end in another paragraph", `${long("<!--")}\n\n-->`],
  ["comments in lines", `${long("a <!--\n")}\n\n-->`],
  ["comments beside code", long("`<!-- ` -->")],
  ["pictures that do not end", long("![")],
  ["links that do not end", long("[a](")],
  ["links with titles that do not end", long('[a](b "')],
  ["code that does not end", long("`a``b")],
  ["runs of backticks", long("`")],
  ["backslashes", long("\\")],
  ["struck text that does not end", long("~~a ")],
  ["struck elements that do not end", long("<s>")],
  ["struck elements in turn", long("<s></del>")],
  ["elements that do not end", long("<a")],
  ["stars", long("*a ")],
  ["bold", long("**a")],
  ["underscores", long("_a ")],
  ["quote marks", long("> ")],
  ["front matter that does not end", `---\n${long("a: b\n--- ")}`],
  ["short lines", long("a\n")],
])("Markdown is read in linear time: %s", (_what, source) => {
  expect(parseMarkdown(source).pages).toHaveLength(1);
});

it.each([
  ["spaces", `a${long(" ")}b`],
  ["empty lines", `a\n${long(" \n")}b`],
  ["carriage returns", long("\r")],
])("plain text is read in linear time: %s", (_what, source) => {
  expect(parsePlainText(source).pages).toHaveLength(1);
});
