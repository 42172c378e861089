import type { ErrorInfo, FindingKind, SentenceCheck } from "@troupe/stream";

import { clip } from "../text/clip.ts";
import { hasFinding } from "./correct-answer.ts";

const MEANINGS: { readonly [kind in FindingKind]: string } = {
  unknown: "it cites a source that no tool returned",
  uncited: "it has no citation",
  figure: "its sources do not have this figure",
  unit: "its sources have another unit",
  date: "its sources do not have this date",
  name: "its sources do not have this name",
  page: "another passage fits it, the cited one does not",
  "figure-in-no-result": "no query result, chart or text of this run has this figure",
  quote: "the quoted words are not in the source",
  contradicted: "its sources say otherwise",
  "not-there": "its sources do not say so",
};

/** How a request to correct an answer begins. */
export const NOT_ACCEPTED = "The answer was not accepted.";

const MAX_LISTED = 40;
const MAX_SENTENCE = 2_000;
const MAX_DETAIL = 300;

/** What was found, for a person or a model: `its sources do not have this figure: 2.4; stands in [5]`. */
export function describeFinding({ kind, detail }: NonNullable<SentenceCheck["finding"]>): string {
  return detail === "" ? MEANINGS[kind] : `${MEANINGS[kind]}: ${clip(detail, MAX_DETAIL)}`;
}

/** How a model may answer findings: through `finish` or a JSON object like it, or by writing the whole answer anew. */
export type CorrectionForm = "finish" | "json" | "marker" | "text";

/** For the forms that have no field `derived`. */
const STATE_OPERANDS =
  "Where a figure is right because you computed it, state in its sentence the figures that you computed it from. A " +
  "sentence that stays as it is will be shown to the person as unverified.";

const HOW: { readonly [by in CorrectionForm]: string } = {
  finish:
    "Call finish again. Either leave content empty and give replacements: for each of these sentences its words as " +
    "above in sentence and the corrected sentence in text, an empty text to delete it; everything else of your answer " +
    "stays. Or write the whole answer anew in content. Where a figure is right because you computed it, name it in " +
    "derived with the first words of its sentence and the calculation, such as (1.2 - 0.9) / 0.9, of figures that stand " +
    "in the sources. A sentence that stays as it is, with no entry in derived, is shown to the person as unverified.",
  json:
    'Reply with one JSON object and nothing else: {"replacements":[{"sentence":"...","text":"..."}]}. In sentence give ' +
    "the words of each of these sentences as above, in text the corrected sentence, an empty text to delete it. " +
    "Everything else of your answer stays. Where a figure is right because you computed it, add its operands as they " +
    "stand in the sources instead, and the first words of its sentence: " +
    '{"replacements":[],"derived":[{"figure":"27 %","sentence":"Sales rose by","operands":["1.2 million","0.9 million"]}]}. ' +
    "A sentence that stays as it is, with no entry in derived, is shown to the person as unverified.",
  marker: `Write the whole answer anew, after the line [FINAL ANSWER], with these sentences corrected or left out. ${STATE_OPERANDS}`,
  text: `Write the whole answer anew, with these sentences corrected or left out. ${STATE_OPERANDS}`,
};

/** Asks a model to correct its answer. `unknown` are references that no finding is about. */
export function askToCorrect(
  checks: readonly SentenceCheck[],
  unknown: readonly string[],
  by: CorrectionForm,
): string {
  const found = checks.filter(hasFinding);
  const lines = found
    .slice(0, MAX_LISTED)
    .map(
      ({ sentence, finding }, index) =>
        `${index + 1}. ${clip(sentence, MAX_SENTENCE)}\n   ${finding === undefined ? "" : describeFinding(finding)}`,
    );
  if (found.length > MAX_LISTED) lines.push(`And ${found.length - MAX_LISTED} more.`);
  if (unknown.length > 0)
    lines.push(`No tool returned these sources: ${unknown.map((id) => `[${id}]`).join(", ")}`);
  return `${NOT_ACCEPTED} ${count(found.length, checks.length)} could not be verified:\n${lines.join("\n")}\n${HOW[by]}`;
}

/** The error of a run if the check of its answer failed. */
export const NOT_CHECKED: ErrorInfo = {
  code: "agent.unverified",
  message: "The answer could not be checked against its sources, because the check failed.",
};

/** Sentences quoted in an error. */
const MAX_QUOTED = 3;

/**
 * Why an answer with these checks is not complete; undefined where nothing is wrong with it. The message has a line for
 * how many claims are concerned, one beginning with `- ` for each sentence it quotes, and one for each other problem.
 */
export function unverifiedError(
  checks: readonly SentenceCheck[],
  unknown: readonly string[],
  notReplaced: readonly string[] = [],
): ErrorInfo | undefined {
  const found = checks.filter(hasFinding);
  const quote = (sentence: string): string => `"${clip(sentence.trim().replaceAll(/\s+/g, " "), 160)}"`;
  const quoted = found
    .slice(0, MAX_QUOTED)
    .map(
      ({ sentence, finding }) =>
        `${quote(sentence)} (${finding === undefined ? "" : describeFinding(finding)})`,
    );
  if (found.length > MAX_QUOTED) quoted.push(`and ${found.length - MAX_QUOTED} more`);
  const parts = [
    ...(found.length === 0
      ? []
      : [
          `${count(found.length, checks.length)} could not be verified.`,
          ...quoted.map((line) => `- ${line}`),
        ]),
    ...(unknown.length === 0
      ? []
      : [
          `References to sources that no tool returned were removed: ${unknown
            .slice(0, 10)
            .map((id) => `[${id}]`)
            .join(", ")}.`,
        ]),
    ...(notReplaced.length === 0
      ? []
      : [
          `Corrections were not applied, because these sentences are not in the answer: ${notReplaced.slice(0, MAX_QUOTED).map(quote).join("; ")}.`,
        ]),
  ];
  return parts.length === 0 ? undefined : { code: "agent.unverified", message: parts.join("\n") };
}

function count(found: number, all: number): string {
  return `${found} of ${all} ${all === 1 ? "claim" : "claims"}`;
}
