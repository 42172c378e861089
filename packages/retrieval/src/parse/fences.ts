const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The fence of the code block that a line of Markdown leaves open; undefined outside code. */
export function fenceAfter(line: string, fence: string | undefined): string | undefined {
  if (fence === undefined) return FENCE.exec(line)?.[1];
  return line.trimStart().startsWith(fence) ? undefined : fence;
}
