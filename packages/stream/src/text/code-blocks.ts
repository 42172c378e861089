/** A block of Markdown between two fences, by its lines. */
interface FencedBlock {
  /** Number of the opening line. */
  readonly first: number;
  /** Number of the closing line. */
  readonly last: number;
  /** Language of the opening line, in small letters. */
  readonly label: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$/;

/** The fenced blocks of a text. A fence that is never closed begins none. */
function fencedBlocks(lines: readonly string[]): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { readonly first: number; readonly fence: string; readonly label: string } | undefined;
  for (const [index, line] of lines.entries()) {
    const [, fence = "", info = ""] = FENCE.exec(line) ?? [];
    if (fence === "") continue;
    const label = info.trim().split(/\s/)[0]?.toLowerCase() ?? "";
    if (open === undefined) open = { first: index, fence, label };
    else if (label === "" && fence.startsWith(open.fence)) {
      blocks.push({ first: open.first, last: index, label: open.label });
      open = undefined;
    }
  }
  return blocks;
}

const PROSE_LABELS: readonly string[] = ["markdown", "md", "text", "txt", "plaintext", "plain"];

/** Lines of programs, queries, commands and trees of files. */
const CODE_LINES: readonly RegExp[] = [
  /[{};]\s*$/,
  /^\s*[}\])]{1,9}[,;]?\s*$/,
  /^\s*(?:import|const|let|var|def|class|function|elif|package|fn|func|async|await|export|return)\s/,
  /^\s*(?:#include|#!|@\w)/,
  /^\s*(?:if|for|while|else|try|with|except)\b[^\n]{0,200}[:{]\s*$/,
  /^\s*(?:SELECT|FROM|WHERE|GROUP BY|ORDER BY|(?:LEFT |INNER )?JOIN|INSERT|UPDATE|CREATE|WITH)\b/,
  /^\s*\$\s[a-z./]/,
  /^\s*(?:npm|npx|pnpm|yarn|pip3?|uv|git|curl|sudo|docker|cd|apt|brew|cargo|python3?|node|kubectl|make)\s/,
  /\s--[a-z]/,
  /=>|:=|==|!=|&&|\|\||->|<\/?[a-z]{1,20}[^>\n]{0,200}>|\w\(\)|\w\.\w{1,40}\(/,
  /^\s*"[^"\n]{0,100}":/,
  /[├└│]/,
];
/** Share of the lines from which a block without a language is code. */
const MIN_CODE_LINES = 1 / 3;
/** Three words, and the end of a sentence or citation. */
const SENTENCE = /(?:\p{L}{2,40}[^\p{L}\n]{1,40}){3}[^\n]{0,2000}[.!?\]]\s*$/u;

/** Whether a block is read as prose: by its label, else by the look of its lines. */
function isProse({ first, last, label }: FencedBlock, lines: readonly string[]): boolean {
  if (PROSE_LABELS.includes(label)) return true;
  const content = lines.slice(first + 1, last).filter((line) => line.trim() !== "");
  const code = content.filter((line) => CODE_LINES.some((pattern) => pattern.test(line.slice(0, 2000))));
  if (label === "") return code.length < content.length * MIN_CODE_LINES;
  return code.length === 0 && content.some((line) => SENTENCE.test(line.slice(-2000)));
}

/**
 * The lines of a text, those of code and fences blank. What is in a fence and reads as prose stays: an answer, or part of
 * it, that a model wraps in a fence.
 */
export function linesWithoutCode(text: string): readonly string[] {
  const lines = text.split("\n");
  const kept = [...lines];
  for (const block of fencedBlocks(lines)) {
    const prose = isProse(block, lines);
    for (let at = block.first; at <= block.last; at++)
      if (!prose || at === block.first || at === block.last) kept[at] = "";
  }
  return kept;
}

const CODE_SPAN = /(`[^`\n]*`)/;

/** Rewrites a text outside of code spans and of fenced blocks that are code. */
export function rewriteOutsideCode(text: string, rewrite: (part: string) => string): string {
  const lines = text.split("\n");
  const parts: string[] = [];
  let at = 0;
  const addProse = (to: number): void => {
    if (to > at)
      parts.push(
        lines
          .slice(at, to)
          .join("\n")
          .split(CODE_SPAN)
          .map((part, index) => (index % 2 === 1 ? part : rewrite(part)))
          .join(""),
      );
  };
  for (const block of fencedBlocks(lines)) {
    if (isProse(block, lines)) continue;
    addProse(block.first);
    parts.push(lines.slice(block.first, block.last + 1).join("\n"));
    at = block.last + 1;
  }
  addProse(lines.length);
  return parts.join("\n");
}
