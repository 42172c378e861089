import type { ErrorInfo } from "@troupe/stream";

import { isAnnouncement } from "../answer/announcement.ts";
import { clip } from "../text/clip.ts";
import { cutShort, type Ending } from "./ending.ts";
import { isQuestion } from "./lookup.ts";
import type { Run } from "./run.ts";
import { textOf } from "./text-item.ts";

const ONLY_ANNOUNCED: ErrorInfo = {
  code: "agent.no-response",
  message: "The model wrote no answer, it only said what it would do next.",
};
const MAX_FOUND = 10;
const MAX_QUOTE = 240;
/** Most characters of a text between calls that does not count as a draft. */
const MAX_ANNOUNCEMENT = 300;

/**
 * Ends a run without an answer: partial with the last draft or the results of the tools, failed without either.
 */
export function handOver(run: Run, error: ErrorInfo): Ending {
  const draft = textOf(run.soFar());
  if (!isShortDraft(draft) || run.refused !== undefined) return cutShort(run, error);
  return handOverFound(run, error, { withResults: draft === "" }) ?? cutShort(run, error);
}

function handOverFound(
  run: Run,
  error: ErrorInfo,
  { withResults, lastWords }: { readonly withResults: boolean; readonly lastWords?: string },
): Ending | undefined {
  const passages = run.evidence.citations
    .slice(0, MAX_FOUND)
    .map(({ id, document, quote }) => `- ${document}: "${oneLine(unmarked(quote))}" [${id}]`);
  const lines = passages.length > 0 || !withResults ? passages : resultLines(run);
  if (lines.length === 0) return undefined;
  const last = lastWords === undefined ? "" : `\n\nThe last words of the agent: ${oneLine(lastWords)}`;
  const content = `No answer was written. This was found:\n\n${lines.join("\n")}${last}`;
  const found = run.writeItem("answer", content);
  // Tool results make no claim about a source, so there is nothing to check.
  return { outcome: "partial", answer: [found], error, ...(passages.length === 0 ? { checks: [] } : {}) };
}

/**
 * Whether a text announces the next step instead of answering from the passages and rows that the run found. Where a
 * file or chart was made, short words are enough, and where a value is expected, it may be short.
 */
export function isOnlyAnnounced({ evidence, options, refused, request }: Run, text: string): boolean {
  const { citations, tables } = evidence;
  if (citations.length + tables.length === 0 || options.model.free === true || refused !== undefined)
    return false;
  if (evidence.hasMade || request.delegation?.outputSchema !== undefined) return false;
  return !isQuestion(text) && isAnnouncement(text, { citations, tables });
}

/** Ends a run whose answer is an announcement with what was found, and with these words, which may be an answer. */
export function handOverAnnounced(run: Run, ending: Ending): Ending {
  const { outcome, answer = [], error } = ending;
  const lastWords = textOf(answer);
  if (outcome !== "completed" || error !== undefined || !isOnlyAnnounced(run, lastWords)) return ending;
  run.supersede(answer, ONLY_ANNOUNCED.message);
  return handOverFound(run, ONLY_ANNOUNCED, { withResults: true, lastWords }) ?? ending;
}

/** Whether a draft is short and cites nothing, so that it may only announce what the model will do next. */
export const isShortDraft = (draft: string): boolean =>
  draft.length <= MAX_ANNOUNCEMENT && !/\[\d+\]/.test(draft);

function resultLines({ messages }: Run): readonly string[] {
  const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  const lines = results
    .filter(({ isError, text }) => !isError && text.trim() !== "")
    .map(({ name, text }) => `- ${name}: ${oneLine(text)}`);
  return [...new Set(lines)].slice(-MAX_FOUND);
}

/** Replaces quotes and brackets, which would end the quote around a passage and cite other sources. */
const unmarked = (text: string): string =>
  text
    .replaceAll(/["“”„«»]/g, "'")
    .replaceAll("[", "(")
    .replaceAll("]", ")");

/** Cut between words: half a word or number is not in the source. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_QUOTE ? line : clip(line, MAX_QUOTE).replace(/\s?\S*…$/, " …");
}
