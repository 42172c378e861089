export interface FrontMatter {
  /** Keys in lower case; only plain `key: value` lines, which is what titles and dates are. */
  readonly properties: { readonly [name: string]: string };
  readonly body: string;
}

/** Splits `---` front matter from a Markdown text. Without a closing line there is none. */
export function readFrontMatter(text: string): FrontMatter {
  const opening = /^---[ \t]*\n/.exec(text);
  if (!opening) return { properties: {}, body: text };
  const close = /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(opening[0].length - 1));
  if (!close) return { properties: {}, body: text };
  const block = text.slice(opening[0].length, opening[0].length - 1 + close.index);
  const properties: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const match = /^([A-Za-z][\w -]{0,40}):[ \t]+(\S.*)$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) continue;
    properties[match[1].trim().toLowerCase()] = match[2].trim().replace(/^(["'])(.*)\1$/, "$2");
  }
  return { properties, body: text.slice(opening[0].length - 1 + close.index + close[0].length) };
}
