import { splitSentences } from "@troupe/core/text";

/** A passage as `rag_search` writes it. */
export interface Passage {
  readonly id: string;
  /** Title and section of its document. */
  readonly title: string;
  readonly section?: string;
  readonly outdated: boolean;
  /** It has a mark of prompt injection. */
  readonly marked: boolean;
  /** Sentences and tables, in order. */
  readonly parts: readonly Part[];
}

export type Part =
  | { readonly kind: "sentence"; readonly text: string; readonly paragraph: number }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

const HEAD = /^\[([\w-]+)\] (.+)$/;
const SECTION = /, (?:section )?"([^"]*)"/;
const PLACE = /, (?:p\. [\p{L}\p{N}]|(?:section )?"|published \d|version |document_id ).*$/u;
const OUTDATED = /^OUTDATED:/;
const MARKED = /^MARKED:/;
/** Fewer words are a heading, not a sentence. */
const MIN_SENTENCE_WORDS = 4;

/** The passages in what `rag_search` answered. */
export function readPassages(text: string): readonly Passage[] {
  return text.split(/\n\n(?=\[[\w-]+\] )/).flatMap((block) => {
    const lines = block.split("\n");
    const at = lines.findIndex((line) => HEAD.test(line));
    const [, id, place = ""] = HEAD.exec(lines[at] ?? "") ?? [];
    if (id === undefined) return [];
    const quoted = lines.slice(at + 1).filter((line) => line.startsWith(">"));
    const section = SECTION.exec(place)?.[1];
    return [
      {
        id,
        title: place.replace(PLACE, ""),
        ...(section === undefined || section === "" ? {} : { section }),
        outdated: lines.some((line) => OUTDATED.test(line)),
        marked: lines.some((line) => MARKED.test(line)),
        parts: partsOf(
          quoted.map((line) => line.replace(/^> ?/, "")).filter((line) => line.trim() !== section),
        ),
      },
    ];
  });
}

function partsOf(lines: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  let rows: (readonly string[])[] = [];
  let paragraph = 0;
  const endTable = (): void => {
    if (rows.length > 1) parts.push({ kind: "table", rows });
    rows = [];
  };
  for (const line of [...lines, ""]) {
    const cells = line.split(" | ").map((cell) => cell.trim());
    if (cells.length > 1 && (rows.length === 0 || rows[0]?.length === cells.length)) {
      rows.push(cells);
      continue;
    }
    endTable();
    paragraph++;
    const text = line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim();
    for (const { start, end } of splitSentences(text)) {
      const sentence = text.slice(start, end).trim();
      if (isSentence(sentence)) parts.push({ kind: "sentence", text: sentence, paragraph });
    }
  }
  return parts;
}

function isSentence(text: string): boolean {
  return text.split(" ").length >= MIN_SENTENCE_WORDS && /[.!?:;…)]["'”’»]?$/.test(text);
}
