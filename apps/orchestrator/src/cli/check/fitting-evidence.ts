import type { Citation, ResultTable } from "@troupe/stream";

import type { Collection } from "./check-text.ts";

/** At most so many tables are compared with one sentence. */
const MAX_TABLES = 4;
/**
 * Share of the words of a sentence that evidence needs to hold, in terms of the share that the best holds. In what is
 * about something else a figure would be found by accident.
 */
const MIN_FIT = 0.7;

interface Known<T> {
  readonly one: T;
  readonly words: ReadonlySet<string>;
}

/** Passages and tables that are about a sentence: by the words they share with it, rare words counting most. */
export function fittingEvidence(
  passages: ReadonlyMap<string, readonly Citation[]>,
  tables: readonly ResultTable[],
): Omit<Collection, "given"> {
  const ofPassages = new Map<string, readonly Known<Citation>[]>();
  for (const [sentence, found] of passages)
    ofPassages.set(
      sentence,
      found.map((one) => ({ one, words: wordsOf(passageText(one)) })),
    );
  const ofTables = tables.map((one) => ({ one, words: wordsOf(tableText(one)) }));
  const all = [...[...ofPassages.values()].flat(), ...ofTables];
  const counts = new Map<string, number>();
  for (const { words } of all) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => Math.log(1 + all.length / (1 + (counts.get(word) ?? 0)));
  const shareOf = (wanted: ReadonlySet<string>, words: ReadonlySet<string>): number => {
    let held = 0;
    let sum = 0;
    for (const word of wanted) {
      sum += weightOf(word);
      if (words.has(word)) held += weightOf(word);
    }
    return sum === 0 ? 0 : held / sum;
  };
  const fitting = (
    sentence: string,
  ): { readonly passages: readonly Citation[]; readonly tables: readonly ResultTable[] } => {
    const wanted = wordsOf(sentence);
    const ranked = <T>(known: readonly Known<T>[]): readonly { readonly one: T; readonly share: number }[] =>
      known
        .map(({ one, words }) => ({ one, share: shareOf(wanted, words) }))
        .toSorted((one, other) => other.share - one.share);
    const ownPassages = ranked(ofPassages.get(sentence) ?? []);
    const ownTables = ranked(ofTables).filter(({ share }) => share > 0);
    const least = MIN_FIT * Math.max(ownPassages[0]?.share ?? 0, ownTables[0]?.share ?? 0);
    const near = <T>(found: readonly { readonly one: T; readonly share: number }[]): readonly T[] =>
      found.filter(({ share }) => share >= least).map(({ one }) => one);
    return { passages: near(ownPassages), tables: near(ownTables).slice(0, MAX_TABLES) };
  };
  return {
    passagesFor: (sentence) => fitting(sentence).passages,
    tablesFor: (sentence) => fitting(sentence).tables,
  };
}

function passageText({ document, section = "", passage, quote }: Citation): string {
  return [document, section, passage ?? quote].join(" ");
}

function tableText({ title = "", columns, rows }: ResultTable): string {
  return [title, ...columns, ...rows.flat().filter((cell) => typeof cell === "string")].join(" ");
}

/** The first letters of each word, so that inflections count as one. */
function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.map((word) => word.slice(0, 6)));
}
