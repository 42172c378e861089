import type { AnswerEvidence } from "@troupe/core";
import type { Citation } from "@troupe/stream";

import { foldedWords } from "../text/fold.ts";
import { readPassage, type EvidenceText, type Passage } from "./passage.ts";
import { readTable, type Table } from "./table.ts";

/** The evidence of a run, read once for all sentences of an answer. */
export interface Evidence {
  readonly passages: readonly Passage[];
  readonly tables: readonly Table[];
  readonly given: readonly Passage[];
  readonly byId: ReadonlyMap<string, Passage>;
  readonly tablesById: ReadonlyMap<string, Table>;
  /** Folded titles of the documents, each between spaces. */
  readonly titles: ReadonlySet<string>;
  /** In how many passages a word occurs, by its first letters. */
  readonly wordCounts: ReadonlyMap<string, number>;
}

/** Letters by which words are compared across inflections. */
export const STEM_LENGTH = 6;

export function readEvidence(evidence: AnswerEvidence): Evidence {
  const read = evidence.citations.map((citation) =>
    readPassage({ id: citation.id, title: titleOf(citation), text: citation.passage ?? citation.quote }),
  );
  const cellScales = new Set(read.flatMap(({ scales }) => [...scales]));
  const passages = read.map((passage) => ({ ...passage, cellScales }));
  const tables = evidence.tables.map(readTable);
  const given = evidence.given.map((text, index) =>
    readPassage({ id: `given-${index}`, title: "", text, given: true }),
  );
  return {
    passages,
    tables,
    given,
    byId: new Map(passages.map((passage) => [passage.id, passage])),
    tablesById: new Map(
      tables.flatMap((table, index) =>
        [table.id, evidence.tables[index]?.number].flatMap((id) => (id === undefined ? [] : [[id, table]])),
      ),
    ),
    titles: new Set(evidence.citations.map(({ document }) => ` ${foldedWords(document)} `)),
    wordCounts: countWords(passages),
  };
}

function titleOf({ document, section }: Citation): string {
  return section === undefined ? document : `${document} ${section}`;
}

function countWords(passages: readonly Passage[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { words } of passages) {
    const stems = new Set(
      words
        .trim()
        .split(" ")
        .map((word) => word.slice(0, STEM_LENGTH)),
    );
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

/** Whether a folded token stands in a text, not as part of a longer number or word. */
export function holdsToken(evidence: EvidenceText, token: string): boolean {
  if (token === "") return false;
  const startsWithDigit = /^\d/.test(token);
  const startsWithLetter = /^\p{L}/u.test(token);
  const endsWithDigit = /\d$/.test(token);
  for (let at = evidence.folded.indexOf(token); at >= 0; at = evidence.folded.indexOf(token, at + 1)) {
    const before = evidence.folded[at - 1] ?? " ";
    const after = evidence.folded[at + token.length] ?? " ";
    const joinedBefore = startsWithDigit ? /\d/.test(before) : startsWithLetter && /\p{L}/u.test(before);
    if (!joinedBefore && !(endsWithDigit && /\d/.test(after))) return true;
  }
  return false;
}

export function holdsWords(evidence: EvidenceText, text: string): boolean {
  const words = foldedWords(text);
  return words !== "" && evidence.words.includes(` ${words} `);
}
