/** A heading with lines that each carry their source, and perhaps a table. */
interface Part {
  readonly heading: string;
  readonly text: string;
}

/** What the tool says where it found nothing, also in earlier versions. */
const SILENCE = /^(?:No sentence found|The documents do not say)\b/;

/**
 * Under their headings. Under a heading it is said, too, that nothing was found.
 *
 * @param once a sentence or table stands where it came first only: right for the parts of one subject, and
 * wrong for questions and the sides of a comparison, which one sentence may answer several of
 */
export function compose(
  parts: readonly Part[],
  perPart: number,
  { once = false }: { readonly once?: boolean } = {},
): string {
  const used = new Set<string>();
  return parts
    .flatMap(({ heading, text }) => {
      const blocks = blocksOf(text);
      const lines = (blocks[0] ?? "").split("\n");
      const said = lines.filter((line) => line.startsWith("- ") && !used.has(line)).slice(0, perPart);
      const notes = blocks.slice(1).filter((block) => block.startsWith("Note: "));
      const tables = blocks.filter((block) => block.startsWith("|") && !used.has(block));
      if (heading !== "" && SILENCE.test(lines[0] ?? "")) return [`## ${heading}\n${lines[0] ?? ""}`];
      if (said.length + tables.length === 0) return [];
      if (once) for (const shown of [...said, ...tables]) used.add(shown);
      const body = [...(said.length === 0 ? [] : [said.join("\n")]), ...notes, ...tables].join("\n\n");
      return [heading === "" ? body : `## ${heading}\n${body}`];
    })
    .join("\n\n");
}

/** Blocks between blank lines, a table together with the line that names its source. */
const blocksOf = (text: string): readonly string[] => text.split(/\n\n(?!Table from )/);

/** The statements of a draft. */
export const statementsIn = (draft: string): number => (draft.match(/^- /gm) ?? []).length;

/**
 * So many statements of a draft, first those that its parts begin with. A table goes where statements are left that
 * say the same in short. That nothing was found stays said.
 *
 * @param bare without notes, tables and marks of a list: that number of sentences and nothing else
 */
export function shortened(draft: string, keep: number, bare: boolean): string {
  const parts = draft.split(/\n\n(?=## )/).map((part) => part.split("\n"));
  const places = parts.flatMap((lines, part) =>
    lines.filter((line) => line.startsWith("- ")).map((line, rank) => ({ part, line, rank })),
  );
  const kept = places.toSorted((a, b) => a.rank - b.rank).slice(0, keep);
  if (bare) {
    const lines = places.filter((place) => kept.includes(place)).map(({ line }) => line);
    return lines.length === 1 ? (lines[0] ?? "").slice(2) : lines.join("\n");
  }
  return parts
    .flatMap((lines, part) => {
      const here = kept.filter((place) => place.part === part).toSorted((a, b) => a.rank - b.rank);
      const [heading] = lines.filter((line) => line.startsWith("## "));
      if (here.length === 0) return lines.some((line) => SILENCE.test(line)) ? [lines.join("\n")] : [];
      const said = [...(heading === undefined ? [] : [heading]), ...here.map(({ line }) => line)].join("\n");
      return [[said, ...lines.filter((line) => line.startsWith("Note: "))].join("\n\n")];
    })
    .join("\n\n");
}

/** The parts of a text with headings of its own. */
export function partsOf(text: string): readonly Part[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return end === -1
        ? { heading: part, text: "" }
        : { heading: part.slice(0, end), text: part.slice(end + 1).trim() };
    });
}

/** The draft without some of its lines, counted from 1; a table with a wrong row goes as a whole. */
export function without(draft: string, faulty: ReadonlySet<number>): string {
  let next = 1;
  const kept = blocksOf(draft).flatMap((block) => {
    const lines = block.split("\n");
    const first = next;
    next += lines.length + 1;
    const rest = lines.filter((_, index) => !faulty.has(first + index));
    // A table with a wrong cell is no table any more.
    if (block.startsWith("|")) return rest.length === lines.length ? [block] : [];
    return rest.some((line) => !line.startsWith("## ")) ? [rest.join("\n")] : [];
  });
  return kept.join("\n\n");
}

/** The numbers of the sources in a text, each once. */
export function idsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\[(\d{1,4})\]/g)].map(([, id = ""]) => id))];
}
