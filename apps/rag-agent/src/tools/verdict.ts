import type { SentenceCheck } from "@troupe/stream";

const HOLDS = "Every statement is covered.";
const FAILS = "To mend:";
const MAX_SENTENCE = 160;

/** The sentences that do not hold, one line each: the kind of finding, the lines of the draft, from 1, and what was looked for. */
export function writeVerdict(draft: string, checks: readonly SentenceCheck[]): string {
  let from = 0;
  const faults = checks.flatMap(({ sentence, finding }) => {
    const start = Math.max(0, draft.indexOf(sentence, from));
    from = start;
    if (finding === undefined) return [];
    const first = draft.slice(0, start).split("\n").length;
    const last = first + sentence.trim().split("\n").length - 1;
    const where = first === last ? `line ${first}` : `lines ${first}-${last}`;
    return [`- ${finding.kind} (${where}): "${shown(sentence)}": ${onOneLine(finding.detail)}`];
  });
  return faults.length === 0 ? HOLDS : [FAILS, ...faults].join("\n");
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function shown(sentence: string): string {
  const line = onOneLine(sentence);
  return line.length <= MAX_SENTENCE ? line : `${line.slice(0, MAX_SENTENCE - 3).trimEnd()}...`;
}
