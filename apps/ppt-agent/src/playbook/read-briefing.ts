/** A statement with the ids it cites, as `step/id`. */
export interface Statement {
  readonly text: string;
  /** The same in short, where the answer begins with it in bold. */
  readonly lead?: string;
  readonly citations: readonly string[];
}

/** A heading with what stands under it. */
export interface Section {
  readonly heading: string;
  readonly statements: readonly Statement[];
  /** As `step/id`. */
  readonly charts: readonly string[];
}

export interface Briefing {
  readonly objective: string;
  readonly instruction: string;
  readonly sections: readonly Section[];
}

const RESULT = /^## Result of step (\S+) \(.*\)$/;
const HEADING = /^#{1,4}\s+(.+)$/;
const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+(.+)$/;
/** `**In short.** The whole sentence.` */
const LEAD = /^\*\*([^*]{8,120})\.\*\*\s+(?=\S)/;
const REFERENCE = /\[((?:[\w-]+\/)?(?:\d{1,4}|chart-\d+))\]/g;

/** Reads what a deck can be made of out of a delegation prompt: Markdown headings, bullets, references. */
export function readBriefing(prompt: string): Briefing {
  const lines = prompt.split("\n");
  const first = lines.findIndex((line) => RESULT.test(line));
  const head = (first === -1 ? lines : lines.slice(0, first)).join("\n");
  const instruction = /^Your task: ([\s\S]*?)(?=\n\n|$)/m.exec(head)?.[1] ?? head;
  const objective = /^The goal of the whole run: ([\s\S]*?)(?=\n\n|$)/m.exec(head)?.[1] ?? instruction;
  return {
    objective: objective.trim(),
    instruction: instruction.trim(),
    sections: first === -1 ? [] : readResults(lines.slice(first)),
  };
}

function readResults(lines: readonly string[]): readonly Section[] {
  const sections: { heading: string; statements: Statement[]; charts: string[] }[] = [];
  let step = "";
  const open = (heading: string): (typeof sections)[number] => {
    const section = { heading, statements: [], charts: [] };
    sections.push(section);
    return section;
  };
  let current = open("");
  for (const line of lines) {
    const result = RESULT.exec(line)?.[1];
    if (result !== undefined) {
      step = result;
      current = open("");
      continue;
    }
    const text = (HEADING.exec(line)?.[1] ?? BULLET.exec(line)?.[1] ?? line).trim();
    const references = [...text.matchAll(REFERENCE)].map(([, id = ""]) =>
      id.includes("/") ? id : `${step}/${id}`,
    );
    const plain = withoutMarks(text);
    if (HEADING.test(line)) current = open(plain);
    current.charts.push(...references.filter(isChart).filter((id) => !current.charts.includes(id)));
    if (HEADING.test(line) || plain === "" || /^\W*$/.test(plain)) continue;
    const lead = LEAD.exec(text);
    current.statements.push({
      text: withoutMarks(lead === null ? text : text.slice(lead[0].length)),
      ...(lead?.[1] === undefined ? {} : { lead: lead[1] }),
      citations: references.filter((id) => !isChart(id)),
    });
  }
  return sections.filter((section) => section.statements.length > 0 || section.charts.length > 0);
}

const isChart = (id: string): boolean => /(^|\/)chart-\d+$/.test(id);

/** Text as it is spoken: without references and Markdown emphasis. */
function withoutMarks(text: string): string {
  return text
    .replaceAll(REFERENCE, "")
    .replaceAll(/\*\*|__|`/g, "")
    .replaceAll(/\s+([.,;:])/g, "$1")
    .replaceAll(/\s{2,}/g, " ")
    .trim();
}
