import type { CitationProblem } from "@troupe/retrieval";

const HOLDS = "Every statement is covered.";
const FAILS = "To mend:";
const FAULT = /^- [a-z-]+ \(lines? (\d+(?:, \d+)*)\): /gm;

/** What a check found, each problem with its code and the lines of the draft it is about, from 1. */
export function writeVerdict(draft: string, problems: readonly CitationProblem[]): string {
  if (problems.length === 0) return HOLDS;
  const lines = draft.split("\n").map(bare);
  const faults = problems.map(({ code, sentence, message }) => {
    const said = bare(sentence);
    const at = lines.flatMap((line, index) => (said !== "" && line.includes(said) ? [index + 1] : []));
    const where = at.length === 0 ? "" : ` (${at.length === 1 ? "line" : "lines"} ${at.join(", ")})`;
    return `- ${code}${where}: ${message}`;
  });
  return [FAILS, ...faults].join("\n");
}

export interface Verdict {
  readonly holds: boolean;
  /** Numbers of the draft's lines that do not hold, from 1. */
  readonly lines: ReadonlySet<number>;
}

/** Reads what `writeVerdict` wrote, up to the list of sources; the wording of the messages is not looked at. */
export function readVerdict(text: string): Verdict {
  const [verdict = ""] = text.split("\n\n", 1);
  const faults = [...verdict.matchAll(FAULT)].flatMap(([, lines = ""]) => lines.split(", ").map(Number));
  return { holds: verdict === HOLDS, lines: new Set(faults) };
}

/** As two texts compare: letters and digits only, without the ids of sources. */
const bare = (text: string): string =>
  text
    .replace(/\[[\w-]+\]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
