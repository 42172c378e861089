import { readFileSync } from "node:fs";

import { marked } from "marked";

/** Front matter as plain `key: value` lines, and the body as Markdown tokens. */
export function readSource(path) {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(path, "utf8"));
  if (!match) throw new Error(`"${path}" has no front matter.`);
  const meta = {};
  for (const line of match[1].split("\n")) {
    const pair = /^(\w+): (.+)$/.exec(line);
    if (!pair) throw new Error(`"${path}": front matter line "${line}" is not "key: value".`);
    meta[pair[1]] = pair[2];
  }
  for (const key of ["format", "title", "date"])
    if (meta[key] === undefined) throw new Error(`"${path}" has no "${key}".`);
  return { ...meta, format: meta.format, meta, tokens: marked.lexer(match[2]) };
}

/** `2026-01-14` as `14 January 2026`. */
export function longDate(iso) {
  const date = new Date(`${iso}T08:00:00Z`);
  return date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** Inline tokens as runs of text with their weight. */
export function toRuns(tokens, style = {}) {
  return (tokens ?? []).flatMap((token) => {
    if (token.type === "strong") return toRuns(token.tokens, { ...style, bold: true });
    if (token.type === "em") return toRuns(token.tokens, { ...style, italic: true });
    if (token.tokens) return toRuns(token.tokens, style);
    return [{ ...style, text: decode(token.text ?? token.raw).replace(/\s*\n\s*/g, " ") }];
  });
}

export const plain = (tokens) =>
  toRuns(tokens)
    .map((run) => run.text)
    .join("");

function decode(text) {
  return text
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'");
}
