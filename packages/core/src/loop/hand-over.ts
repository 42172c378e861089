import type { ErrorInfo } from "@troupe/stream";

import { clip } from "../text/clip.ts";
import { cutShort, type Ending } from "./ending.ts";
import type { Run } from "./run.ts";
import { textOf } from "./text-item.ts";

const MAX_FOUND = 10;
const MAX_QUOTE = 240;
/** Most characters of a text between calls that does not count as a draft. */
const MAX_ANNOUNCEMENT = 300;

/**
 * Ends a run without an answer: partial with the last draft or the results of the tools, failed without either.
 */
export function handOver(run: Run, error: ErrorInfo): Ending {
  const draft = textOf(run.soFar());
  if (!isAnnouncement(draft) || run.refused !== undefined) return cutShort(run, error);
  const passages = run.evidence.citations
    .slice(0, MAX_FOUND)
    .map(({ id, document, quote }) => `- ${document}: "${oneLine(unmarked(quote))}" [${id}]`);
  const lines = passages.length > 0 || draft !== "" ? passages : resultLines(run);
  if (lines.length === 0) return cutShort(run, error);
  const found = run.writeItem("answer", `No answer was written. This was found:\n\n${lines.join("\n")}`);
  // Tool results make no claim about a source, so there is nothing to check.
  return { outcome: "partial", answer: [found], error, ...(passages.length === 0 ? { checks: [] } : {}) };
}

/** Whether a draft is short and cites nothing, so that it may only announce what the model will do next. */
export const isAnnouncement = (draft: string): boolean =>
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
