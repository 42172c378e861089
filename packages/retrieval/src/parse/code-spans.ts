/** A piece of code in a line of Markdown, between runs of backticks of one length. */
export interface CodeSpan {
  /** Offset of the first backtick. */
  readonly start: number;
  /** Offset behind the last backtick. */
  readonly end: number;
  /** What stands between them, word for word. */
  readonly text: string;
}

/** A run of backticks, and where the next one of its length ends, which makes both a piece of code. */
export interface CodeRun {
  readonly start: number;
  readonly length: number;
  readonly end: number | undefined;
}

/** The runs of backticks from left to right. */
export function codeRuns(text: string): readonly CodeRun[] {
  const nextOfLength = new Map<number, number>();
  const runs: CodeRun[] = [];
  for (const { 0: run, index: start } of [...text.matchAll(/`+/g)].toReversed()) {
    const { length } = run;
    runs.push({ start, length, end: nextOfLength.get(length) });
    nextOfLength.set(length, start + length);
  }
  return runs.toReversed();
}

/**
 * Code in a line, from left to right. A run of backticks that no run of its length follows is text, as is
 * one behind a backslash. Linear: which run closes which is known before the line is walked.
 */
export function codeSpans(line: string): readonly CodeSpan[] {
  const spans: CodeSpan[] = [];
  let from = 0;
  for (const { start, length, end } of codeRuns(line)) {
    if (end === undefined || start < from || isEscaped(line, start)) continue;
    spans.push({ start, end, text: line.slice(start + length, end - length) });
    from = end;
  }
  return spans;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(line: string, at: number): boolean {
  let first = at;
  while (first > 0 && line[first - 1] === "\\") first -= 1;
  return (at - first) % 2 === 1;
}
