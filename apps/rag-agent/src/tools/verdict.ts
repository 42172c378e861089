import type { SentenceCheck } from "@troupe/stream";

const HOLDS = "Every statement is covered.";
const FAILS = "To mend:";
const FAULT = /^- [a-z-]+ \(lines? (\d+)(?:-(\d+))?\): /gm;
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

export interface Verdict {
  readonly holds: boolean;
  /** Numbers of the draft's lines that do not hold, from 1. */
  readonly lines: ReadonlySet<number>;
}

/** Reads what `writeVerdict` wrote, up to the list of sources; the wording of the findings is not looked at. */
export function readVerdict(text: string): Verdict {
  const [verdict = ""] = text.split("\n\n", 1);
  const faults = [...verdict.matchAll(FAULT)].flatMap(([, first = "", last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at),
  );
  return { holds: verdict === HOLDS, lines: new Set(faults) };
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function shown(sentence: string): string {
  const line = onOneLine(sentence);
  return line.length <= MAX_SENTENCE ? line : `${line.slice(0, MAX_SENTENCE - 3).trimEnd()}...`;
}
