/** Reading text of one line of Markdown: link texts stay, addresses, emphasis and code marks go. */
export function inlineText(line: string): string {
  return line
    .replace(/!\[([^\]]*)\]\([^()\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replace(/\[([^\][]+)\]\([^()\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replace(/\[([^\][]+)\]\[[^\][]*\]/g, "$1")
    .replace(/<((?:https?|mailto):[^\s<>]+)>/g, "$1")
    .replace(/<\/?[A-Za-z][^<>]*>/g, "")
    .replace(/(`+)([^`]+)\1/g, "$2")
    .replace(/(\*\*|__)(?=\S)([^*_]+?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]+?)(?<=[^\s_])_(?![\p{L}\p{N}_])/gu, "$1")
    .replace(/~~([^~]+)~~/g, "$1")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? " ")
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, "$1")
    .replace(/(?<= ) +/g, "")
    .trim();
}

const ENTITIES: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
  "#39": "'",
};
