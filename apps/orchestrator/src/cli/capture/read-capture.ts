import { isEnd, isHeader, readCaptureLine, type CaptureRecord } from "@troupe/a2a/capture";
import { InputError } from "@troupe/core/errors";

import { linesOf } from "../../adapters/capture-file.ts";

export interface ReadCapture {
  /** What is wrong with the file, in sentences; empty where it is whole. */
  readonly problems: readonly string[];
}

/**
 * Hands on what can be read of a capture file. Throws an `InputError` where that is nothing.
 * @param name of the file, as it was given
 */
export async function readCapture(
  path: string,
  name: string,
  each: (record: CaptureRecord) => void,
): Promise<ReadCapture> {
  const bad: number[] = [];
  let header = false;
  let end = false;
  let events = 0;
  let number = 0;
  for await (const line of linesOf(path)) {
    number++;
    if (line.trim() === "") continue;
    const record = readCaptureLine(line);
    // A second header begins another capture, and nothing after an end belongs to this one.
    if (record === undefined || end || (isHeader(record) && number > 1)) {
      bad.push(number);
      continue;
    }
    if (isHeader(record)) header = true;
    else if (isEnd(record)) end = true;
    else events++;
    each(record);
  }
  if (number === 0) throw new InputError("input.invalid", `"${name}" is empty.`);
  if (!header && events === 0)
    throw new InputError(
      "input.invalid",
      `"${name}" is no capture that can be read here: write one with the command capture.`,
    );
  const problems: string[] = [];
  if (!header) problems.push(`"${name}" has lost its first line: what was asked of whom is not known.`);
  if (bad.length > 0)
    problems.push(
      `${bad.length === 1 ? "A line" : `${bad.length} lines`} of "${name}" cannot be read and ${bad.length === 1 ? "is" : "are"} left out: ${bad.slice(0, 5).join(", ")}${bad.length > 5 ? ", ..." : ""}.`,
    );
  if (!end) problems.push(`"${name}" has no last line: the capture was cut off.`);
  return { problems };
}
