import { Lexer, type MarkedToken, type Token, type Tokens, type TokensList } from "marked";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

import type { Colors } from "./color.ts";
import { harmless } from "./harmless.ts";

export interface MarkdownLook {
  /** Width of the terminal. */
  readonly columns: number;
  readonly colors: Colors;
}

/** Longer texts are wrapped without being read as Markdown. */
const MAX_CHARS = 200_000;
/** The parser takes quadratic time for the marks in a block; the text of a longer one is not searched for marks. */
const MAX_INLINE_CHARS = 5_000;
/** The parser reads a nested block once for each block around it. */
const MAX_DEPTH = 50;
const MIN_COLUMNS = 20;
/** Narrower than this a column of a table is no longer readable. */
const MIN_CELL = 8;
const GAP = "  ";

/**
 * Markdown as a terminal shows it: headings, emphasis, lists, quotes, code and tables, wrapped at words.
 * Each text is sanitized after parsing, which decodes entities such as `&#27;`. Code and tables that are too
 * wide stay as wide as they are.
 */
export function markdownText(text: string, look: MarkdownLook): string {
  const columns = Math.max(MIN_COLUMNS, look.columns);
  if (text.length > MAX_CHARS) return wrap(harmless(text), columns);
  try {
    return renderBlocks(new BoundedLexer().lex(text), columns, look.colors).join("\n\n");
  } catch (error) {
    // Nested too deep for the parser.
    if (!(error instanceof RangeError)) throw error;
    return wrap(harmless(text), columns);
  }
}

/** Bounds the time for hostile input. Throws a `RangeError` when blocks are nested too deep. */
class BoundedLexer extends Lexer {
  #depth = 0;

  override blockTokens(src: string, tokens?: Token[], clipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, clipped?: boolean): TokensList;
  override blockTokens(src: string, tokens?: Token[], clipped?: boolean): Token[] {
    if (this.#depth >= MAX_DEPTH) throw new RangeError("Blocks are nested too deep.");
    this.#depth += 1;
    try {
      return super.blockTokens(src, tokens, clipped);
    } finally {
      this.#depth -= 1;
    }
  }

  override inline(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= MAX_INLINE_CHARS) return super.inline(src, tokens);
    tokens.push({ type: "text", raw: src, text: src });
    return tokens;
  }
}

/** Wraps each line at words; what follows its first row is indented by `indent` beyond the line itself. */
export function wrapLines(text: string, columns: number, indent = 0): string {
  const width = Math.max(MIN_COLUMNS, columns);
  return text
    .split("\n")
    .map((line) => {
      const lead = /^ */.exec(line)?.[0] ?? "";
      const [first = "", ...rest] = wrap(line.slice(lead.length), width - lead.length - indent).split("\n");
      return [lead + first, ...rest.map((row) => lead + " ".repeat(indent) + row)].join("\n");
    })
    .join("\n");
}

const wrap = (text: string, columns: number): string => wrapAnsi(text, Math.max(1, columns), { hard: true });

function renderBlocks(tokens: readonly Token[], columns: number, colors: Colors): readonly string[] {
  return tokens.flatMap((token) => {
    const block = renderBlock(token as MarkedToken, columns, colors);
    return block === "" ? [] : [block];
  });
}

function renderBlock(token: MarkedToken, columns: number, colors: Colors): string {
  switch (token.type) {
    case "space":
      return "";
    case "heading":
      return wrap(colors.bold(renderInline(token.tokens, colors)), columns);
    case "code":
      return harmless(token.text).replaceAll(/^/gm, "    ");
    case "hr":
      return "─".repeat(Math.min(columns, 40));
    case "blockquote": {
      const inner = renderBlocks(token.tokens, columns - 2, colors).join("\n\n");
      return inner.replaceAll(/^/gm, `${colors.dim("│")} `);
    }
    case "list":
      return renderList(token, columns, colors);
    case "table":
      return renderTable(token, columns, colors);
    case "paragraph":
    case "text":
      return wrap(renderInline(token.tokens ?? [token], colors), columns);
    default:
      return wrap(harmless(token.raw).trimEnd(), columns);
  }
}

function renderList({ items, ordered, start, loose }: Tokens.List, columns: number, colors: Colors): string {
  const first = start === "" ? 1 : start;
  const marks = items.map(({ task, checked }, at) => {
    const mark = ordered ? `${first + at}.` : "•";
    return task ? `${mark} [${checked === true ? "x" : " "}]` : mark;
  });
  const numbered = Math.max(...marks.map((mark) => mark.length));
  const blocks = items.map(({ tokens }, at) => {
    const mark = marks[at] ?? "";
    const width = (ordered ? numbered : mark.length) + 1;
    const content = tokens.filter(({ type }) => type !== "checkbox");
    const inner = renderBlocks(content, columns - width, colors).join(loose ? "\n\n" : "\n");
    return `${mark.padEnd(width)}${inner.replaceAll(/\n(?=[^\n])/g, `\n${" ".repeat(width)}`)}`;
  });
  return blocks.join(loose ? "\n\n" : "\n");
}

function renderTable({ header, rows, align, raw }: Tokens.Table, columns: number, colors: Colors): string {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => renderInline(tokens, colors)));
  const widths = fitWidths(
    header.map((_, at) => Math.max(1, ...cells.map((row) => stringWidth(row[at] ?? "")))),
    columns,
  );
  if (widths === undefined) return harmless(raw).trimEnd();
  const lines = cells.map((row, at) => {
    const wrapped = row.map((cell, column) =>
      wrap(at === 0 ? colors.bold(cell) : cell, widths[column] ?? 1).split("\n"),
    );
    const height = Math.max(...wrapped.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) =>
      wrapped
        .map((cell, column) => pad(cell[line] ?? "", widths[column] ?? 1, align[column] === "right"))
        .join(GAP)
        .trimEnd(),
    ).join("\n");
  });
  const [head = "", ...body] = lines;
  return [head, widths.map((width) => "─".repeat(width)).join(GAP), ...body].join("\n");
}

/** Takes from the widest columns until the table fits; undefined when it cannot. */
function fitWidths(natural: readonly number[], columns: number): readonly number[] | undefined {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - columns;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= MIN_CELL) return undefined;
    const next = Math.max(MIN_CELL, ...widths.filter((width) => width < widest));
    const at = widths.indexOf(widest);
    const cut = Math.min(over, Math.max(1, widest - next));
    widths[at] = widest - cut;
    over -= cut;
  }
  return widths;
}

function pad(text: string, width: number, right: boolean): string {
  const space = " ".repeat(Math.max(0, width - stringWidth(text)));
  return right ? space + text : text + space;
}

function renderInline(tokens: readonly Token[], colors: Colors): string {
  return tokens.map((token) => renderSpan(token as MarkedToken, colors)).join("");
}

function renderSpan(token: MarkedToken, colors: Colors): string {
  switch (token.type) {
    case "strong":
      return colors.bold(renderInline(token.tokens, colors));
    case "em":
      return colors.italic(renderInline(token.tokens, colors));
    case "del":
      return colors.strikethrough(renderInline(token.tokens, colors));
    case "codespan":
      return colors.cyan(harmless(token.text));
    case "br":
      return "\n";
    case "link": {
      const text = renderInline(token.tokens, colors);
      const shown = token.href.replace(/^mailto:/, "");
      return token.text === token.href || token.text === shown ? text : `${text} (${harmless(token.href)})`;
    }
    case "image":
      return harmless(`${token.text} (${token.href})`);
    case "text":
      return token.tokens === undefined ? harmless(token.text) : renderInline(token.tokens, colors);
    case "escape":
      return harmless(token.text);
    default:
      return harmless(token.raw);
  }
}
