import { stripMarks } from "./strip-marks.ts";

/**
 * The lines in a file, from 1, at which sentences begin. Sentences are in the order of the text: each is searched behind
 * the one before it.
 *
 * @param text the part of the file that they are in, with its citation marks
 * @param firstLine the line at which it begins
 */
export function linesOfSentences(
  text: string,
  firstLine: number,
  sentences: readonly string[],
): readonly (number | undefined)[] {
  const lines = text.split("\n").map((line) => stripMarks(line));
  let at = 0;
  let from = 0;
  return sentences.map((sentence) => {
    const [start = ""] = sentence.split("\n");
    for (let line = at; line < lines.length; line++) {
      const found = (lines[line] ?? "").indexOf(start, line === at ? from : 0);
      if (found < 0) continue;
      at = line;
      from = found + start.length;
      return firstLine + line;
    }
    return undefined;
  });
}
