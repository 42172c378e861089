import { codeSpans } from "./code-spans.ts";
import { withoutStruckText } from "./struck-out.ts";

/** Stands around the number of a literal; no text can hold it, for it is no character. */
const MARK = "\uFFFE";

/**
 * Reading text of one line of Markdown: link texts stay, addresses, emphasis and code marks go, and so
 * does what is struck out. Code and escaped characters are literal: no markup is read in them. Linear in
 * the length of the line: no pattern looks past the next mark of its own kind.
 */
export function inlineText(line: string): string {
  const literals: string[] = [];
  const keep = (text: string): string => `${MARK}${literals.push(text) - 1}${MARK}`;
  return withoutStruckText(withoutLiterals(line.replaceAll(MARK, ""), keep))
    .replace(/!\[([^\][]*)\]\([^()\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replace(/\[([^\][]+)\]\([^()\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replace(/\[([^\][]+)\]\[[^\][]*\]/g, "$1")
    .replace(/<((?:https?|mailto):[^\s<>]+)>/g, "$1")
    .replace(/<\/?[A-Za-z][^<>]*>/g, "")
    .replace(/(\*\*|__)(?=\S)([^*_]+?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]+?)(?<=[^\s_])_(?![\p{L}\p{N}_])/gu, "$1")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? " ")
    .replace(/\uFFFE(\d+)\uFFFE/g, (_, at: string) => literals[Number(at)] ?? "")
    .replace(/ {2,}/g, " ")
    .trim();
}

const ESCAPE = /\\([\\`*_{}[\]()#+\-.!|<>~])/g;

const ENTITIES: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
  "#39": "'",
};

function withoutLiterals(line: string, keep: (text: string) => string): string {
  const unescaped = (text: string): string => text.replace(ESCAPE, (_, char: string) => keep(char));
  let marked = "";
  let from = 0;
  for (const { start, end, text } of codeSpans(line)) {
    marked += unescaped(line.slice(from, start)) + keep(text);
    from = end;
  }
  return marked + unescaped(line.slice(from));
}
