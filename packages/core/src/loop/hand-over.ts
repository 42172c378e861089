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
  const found = isAnnouncement(draft) ? foundText(run, draft === "") : "";
  if (found === "" || run.refused !== undefined) return cutShort(run, error);
  return { outcome: "partial", answer: [run.writeItem("answer", found)], error };
}

/** A short text without a citation: it may say only what the model will do next. */
export const isAnnouncement = (draft: string): boolean =>
  draft.length <= MAX_ANNOUNCEMENT && !/\[\d+\]/.test(draft);

/** The passages that were found, or else the results of tools. */
function foundText(run: Run, withResults: boolean): string {
  const passages = run.evidence.citations
    .slice(0, MAX_FOUND)
    .map(({ id, source, quote }) => `- ${source}: "${oneLine(quote)}" [${id}]`);
  const lines = passages.length > 0 || !withResults ? passages : resultLines(run);
  return lines.length === 0 ? "" : `No answer was written. This was found:\n\n${lines.join("\n")}`;
}

function resultLines({ messages }: Run): readonly string[] {
  const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  const lines = results
    .filter(({ isError, text }) => !isError && text.trim() !== "")
    .map(({ name, text }) => `- ${name}: ${oneLine(text)}`);
  return [...new Set(lines)].slice(-MAX_FOUND);
}

const oneLine = (text: string): string => clip(text.replace(/\s+/g, " ").trim(), MAX_QUOTE);
