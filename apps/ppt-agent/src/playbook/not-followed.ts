import { readChanges } from "@troupe/core";
import { followUpIn } from "@troupe/core/request";

import type { Briefing } from "./read-briefing.ts";

/**
 * Why a presentation is not made again: it was asked of something else, as "only for EMEA", and the step that
 * was asked for that says that it could not be used. It would be the one before under another request.
 */
export function notFollowed({ instruction, unused }: Briefing): string | undefined {
  const change = readChanges(instruction).changes.at(-1);
  const asks = change === undefined ? undefined : followUpIn(change);
  if (change === undefined || asks?.kind !== "vary") return undefined;
  const words = wordsOf(asks.what);
  const said = unused.filter((line) => wordsOf(line).some((word) => words.includes(word)));
  if (said.length === 0) return undefined;
  return [
    `I made no new presentation: "${change}" could not be followed.`,
    ...said.map((line) => `${line}.`),
    "Ask for it with a time, a column or a value that the data has, as they have it; the presentation before is as it was.",
  ].join("\n");
}

/** Those that name something. */
const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 && !SMALL.has(word));

const SMALL: ReadonlySet<string> = new Set([
  "the",
  "for",
  "per",
  "from",
  "since",
  "and",
  "not",
  "used",
  "rule",
]);
