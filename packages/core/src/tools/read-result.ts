import { z } from "zod";

import { allResults } from "../delegation/all-results.ts";
import { boundResults } from "../delegation/bound-results.ts";
import { isTroupeError } from "../errors/troupe-error.ts";
import { givenByStep } from "../loop/given.ts";
import type { Delegation, StepResult } from "../ports/delegation.ts";
import type { ReadArtifact } from "../ports/read-artifact.ts";
import type { Tool, ToolOutput } from "../ports/tool.ts";
import { suggestNames } from "../text/nearest-names.ts";
import { defineTool } from "./define-tool.ts";

export const READ_RESULT = "read_result";

/** Characters that one call gives. */
const MAX_CHARS = 20_000;

const input = z.object({
  step: z.string().describe("the step as the results name it"),
  part: z
    .enum(["answer", "rest"])
    .describe(
      "answer: the text of its answer. rest: citations, charts and data that are not all here, as JSON",
    ),
  from: z.number().int().nonnegative().describe("the first character to read; 0 is the beginning"),
});

/**
 * The tool that reads on where results stand in the prompt in part. Undefined where all of them are there in
 * whole. What this run was handed itself needs no reader; a file of somebody else does.
 */
export function readResultTool(delegation: Delegation, read?: ReadArtifact): Tool | undefined {
  const results = allResults(delegation);
  const shown = boundResults(results).results;
  const cut = Object.entries(shown).filter(([, { abridged }]) => abridged !== undefined);
  if (cut.length === 0) return undefined;
  const names = cut.map(([name]) => name);
  return defineTool({
    name: READ_RESULT,
    description: `Reads on in a result that is handed over in part, ${MAX_CHARS} characters at a time. In part are: ${names.slice(0, 20).join(", ")}.`,
    input,
    idempotent: true,
    async execute({ step, part, from }, { userId, signal }): Promise<ToolOutput> {
      const result = Object.hasOwn(results, step) ? results[step] : undefined;
      if (result === undefined)
        return refuse(`There is no result of step "${step}".${suggestNames(step, names)}`);
      const text = await wholeOf(result, part, read, { owner: userId ?? "", signal });
      return typeof text === "string" ? pageOf(text, { result, step, part, from }) : text;
    },
  });
}

async function wholeOf(
  { answer, citations, data, artifacts, abridged = {} }: StepResult,
  part: "answer" | "rest",
  read: ReadArtifact | undefined,
  options: Parameters<ReadArtifact>[1],
): Promise<string | ToolOutput> {
  const here = part === "answer" ? answer : JSON.stringify({ citations, data, artifacts });
  const { answerChars, rest, answer: kept } = abridged;
  const file = part === "answer" ? kept : rest;
  const isWhole =
    part === "answer"
      ? answerChars === undefined
      : [abridged.citations, abridged.charts, abridged.tables, abridged.files, abridged.data].every(
          (one) => one === undefined,
        );
  if (isWhole) return here;
  if (file === undefined || read === undefined)
    return refuse(
      "Nobody keeps the rest where it can be read from here. Work with what there is, and say so.",
    );
  try {
    return await read(file, options);
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    return refuse(error.message);
  }
}

interface Page {
  readonly result: StepResult;
  readonly step: string;
  readonly part: "answer" | "rest";
  readonly from: number;
}

function pageOf(text: string, { result, step, part, from }: Page): ToolOutput {
  const end = Math.min(text.length, from + MAX_CHARS);
  const more = end < text.length ? ` Go on with from: ${end}.` : "";
  const head = `Characters ${Math.min(from, end)} to ${end} of ${text.length} of the ${part} of step ${step}.${more}`;
  const answer = text.slice(from, end).toWellFormed();
  const isCut = answer.length < text.length;
  const abridged = { ...result.abridged, ...(isCut && { answerChars: text.length }) };
  const given = part === "rest" ? [] : givenByStep({ ...result, answer, abridged });
  return { text: `${head}\n\n${answer}`, summary: head, given: given.join("\n") };
}

const refuse = (text: string): ToolOutput => ({ text, isError: true });
