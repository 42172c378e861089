import { z } from "zod";

import { streamBufferVector } from "./buffer-vector.ts";
import { finalParseVector, resultPartVector } from "./final-vector.ts";
import { hitlVector } from "./hitl-vector.ts";
import { resumeVector } from "./resume-vector.ts";
import { streamVector } from "./stream-vector.ts";
import { turnItemsVector } from "./turn-items-vector.ts";
import { vectorSchema, type RunVector } from "./vector.ts";

/** By the kind a case names. */
const KINDS: ReadonlyMap<string, RunVector> = new Map([
  ["marker_gate", streamVector],
  ["tool_boundary", streamVector],
  ["error", streamVector],
  ["structured_extract", streamVector],
  ["final_parse", finalParseVector],
  ["final_result_part", resultPartVector],
  ["stream_buffer", streamBufferVector],
  ["hitl", hitlVector],
  ["hitl_resume", resumeVector],
  ["terminal_round_and_items", turnItemsVector],
  ["appkit", turnItemsVector],
]);

/**
 * Runs every case of a file, one JSON object a line, and writes `{"id","actual"}` for each, in order.
 * A case that cannot be run is written with an `error` in the place of `actual`.
 * @returns how many could not be run
 */
export async function runFile(text: string, write: (line: string) => void): Promise<number> {
  let failed = 0;
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const told = await runLine(line, at + 1);
    if ("error" in told) failed++;
    write(JSON.stringify(told));
  }
  return failed;
}

async function runLine(line: string, number: number): Promise<object> {
  let id = `line ${number}`;
  try {
    const vector = vectorSchema.parse(JSON.parse(line));
    id = vector.id;
    const run = KINDS.get(vector.kind);
    if (run === undefined) {
      return { id, error: `Kind "${vector.kind}" is not known. Kinds: ${[...KINDS.keys()].join(", ")}.` };
    }
    return { id, actual: await run(vector) };
  } catch (error) {
    if (error instanceof z.ZodError) return { id, error: z.prettifyError(error) };
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
