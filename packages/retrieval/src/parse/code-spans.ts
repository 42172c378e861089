/** A piece of code in a line of Markdown, between runs of backticks of one length. */
export interface CodeSpan {
  /** Offset of the first backtick. */
  readonly start: number;
  /** Offset behind the last backtick. */
  readonly end: number;
  /** What stands between them, word for word. */
  readonly text: string;
}

/**
 * Code in a line, from left to right. A run of backticks that no run of its length follows is text, as is
 * one behind a backslash. Linear: which run closes which is known before the line is walked.
 */
export function codeSpans(line: string): readonly CodeSpan[] {
  const runs = [...line.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
  const closes = new Map<number, number>();
  const nextOfLength = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length } = runs[at] ?? { length: 0 };
    const close = nextOfLength.get(length);
    if (close !== undefined) closes.set(at, close);
    nextOfLength.set(length, at);
  }
  const spans: CodeSpan[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const close = closes.get(at);
    const [open, end] = [runs[at], close === undefined ? undefined : runs[close]];
    if (open === undefined || end === undefined || close === undefined || isEscaped(line, open.start))
      continue;
    spans.push({
      start: open.start,
      end: end.start + end.length,
      text: line.slice(open.start + open.length, end.start),
    });
    at = close;
  }
  return spans;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(line: string, at: number): boolean {
  let first = at;
  while (first > 0 && line[first - 1] === "\\") first -= 1;
  return (at - first) % 2 === 1;
}
