import type { Citation, ResultTable } from "@troupe/stream";

import type { Collection, SentenceEvidence } from "./check-text.ts";
import { isNamed, MAX_TABLES, tableChooser } from "./fitting-tables.ts";
import { foldedWords, numbersOf, prefixesOf, sentencesOf } from "./words.ts";

/**
 * Share of the words of a sentence that evidence has to hold, relative to the share that the best evidence holds. In
 * evidence about something else a figure would be found by accident.
 */
const MIN_FIT = 0.7;

/** The same for passages that only complete the best one of their document. */
const MIN_PART = 0.35;
const PERCENT = /%|\b(?:percent|per cent|prozent)/i;

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
      found.map((one) => ({ one, words: prefixesOf(passageText(one)) })),
    );
  const ofTables = tables.map((one) => ({ one, words: prefixesOf(tableText(one)) }));
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
  const choose = tableChooser(tables);
  const fitting = (sentence: string): SentenceEvidence => {
    const wanted = prefixesOf(sentence);
    const ranked = <T>(known: readonly Known<T>[]): readonly Ranked<T>[] =>
      known
        .map((one) => ({ ...one, share: shareOf(wanted, one.words) }))
        .toSorted((one, other) => other.share - one.share);
    const { narrow, whole, totals, values, measure, counts } = choose(sentence);
    const isOfRow = narrow.length > 0 && values.length > 0;
    // Beside a row and a column of a table, a figure that a passage does not state of that row is about something else.
    const found = (ofPassages.get(sentence) ?? []).filter(
      ({ one }) =>
        !isOfRow || measure === undefined || states(one, values, measure === "named" ? sentence : ""),
    );
    const ownPassages = ranked(found);
    const ownTables = ranked(ofTables).filter(({ share }) => share > 0);
    const least = MIN_FIT * Math.max(ownPassages[0]?.share ?? 0, ownTables[0]?.share ?? 0);
    const near = <T>(all: readonly Ranked<T>[]): readonly T[] =>
      all.filter(({ share }) => share >= least).map(({ one }) => one);
    return {
      passages: near(ownPassages),
      together: completing(ownPassages, sentence, wanted),
      tables: narrow.length > 0 ? narrow : near(ownTables).slice(0, MAX_TABLES),
      wholeTables: PERCENT.test(sentence) ? whole : [],
      totals: isOfRow && amountsOf(sentence).length > 1 ? totals : [],
      isOfRow,
      isOfTables: isOfRow && measure !== undefined,
      counts,
    };
  };
  const known = new Map<string, SentenceEvidence>();
  return {
    evidenceFor: (sentence) => {
      const evidence = known.get(sentence) ?? fitting(sentence);
      known.set(sentence, evidence);
      return evidence;
    },
  };
}

interface Ranked<T> extends Known<T> {
  readonly share: number;
}

/**
 * The best passage and those of its document that complete it: a share of the sentence's words, among them some that
 * the best one lacks, or a sentence with a number that it lacks beside one of the words. Each half of `27 apprentices,
 * and 30 days of leave` may stand in a section of its own, which alone has too few of the words.
 */
function completing(
  [best, ...others]: readonly Ranked<Citation>[],
  sentence: string,
  wanted: ReadonlySet<string>,
): readonly Citation[] {
  if (best === undefined) return [];
  const words = [...wanted].filter((word) => !best.words.has(word));
  const numbers = numbersOf(sentence).filter((number) => !numbersOf(passageText(best.one)).includes(number));
  const telling = [...wanted].filter((word) => word.length > 4 && !COMMON.has(word));
  const added = others.filter((other) => {
    if (other.one.source !== best.one.source) return false;
    if (other.share >= MIN_PART * best.share && words.some((word) => other.words.has(word))) return true;
    const found = sentencesOf(passageText(other.one)).map(
      (one) => [numbersOf(one), prefixesOf(one)] as const,
    );
    return found.some(
      ([known, around]) =>
        numbers.some((number) => known.includes(number)) && telling.some((word) => around.has(word)),
    );
  });
  return added.length === 0 ? [] : [best.one, ...added.map(({ one }) => one)];
}

const COMMON: ReadonlySet<string> = new Set("there their these those which about after other".split(" "));

const YEAR = /^(?:19|20)\d\d$/;

/** Whether a passage names these values, one of them in a sentence with a number of the claim; years do not count. */
function states(passage: Citation, values: readonly string[], claim: string): boolean {
  const text = passageText(passage);
  const isNamedIn = (value: string, part: string): boolean => isNamed(value, ` ${foldedWords(part)} `);
  const numbers = amountsOf(claim);
  return (
    values.every((value) => isNamedIn(value, text)) &&
    sentencesOf(text).some(
      (part) =>
        values.some((value) => isNamedIn(value, part)) &&
        (numbers.length === 0 || numbersOf(part).some((number) => numbers.includes(number))),
    )
  );
}

/** The numbers that are no years. */
function amountsOf(sentence: string): readonly string[] {
  return numbersOf(sentence).filter((number) => !YEAR.test(number));
}

function passageText({ document, section = "", passage, quote }: Citation): string {
  return [document, section, passage ?? quote].join(" ");
}

function tableText({ title = "", columns, rows }: ResultTable): string {
  return [title, ...columns, ...rows.flat().filter((cell) => typeof cell === "string")].join(" ");
}
