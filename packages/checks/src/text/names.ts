import { fold } from "./fold.ts";

/** A capitalised word of a run such as `Jonna Ek`. */
export interface NameWord {
  readonly text: string;
  readonly start: number;
  /** Folded, without a genitive ending or an elided article. */
  readonly folded: string;
  /** First of its sentence, cell or quote, where every word is capitalised. */
  readonly isInitial: boolean;
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}.'’&-]{0,60}/gu;
const ELISION = /^(?:[dlnsjmtcDLNSJMTC]|[Qq]u)['’](?=\p{L})/u;

export function foldName(text: string): string {
  return fold(text)
    .replace(/^(?:[dlnsjmtc]|qu)'/, "")
    .replace(/'s?$/, "")
    .replace(/[.-]+$/, "");
}

/** Runs of capitalised words. In a table row each cell begins anew. */
export function nameRuns(text: string, isRow: boolean): readonly (readonly NameWord[])[] {
  const runs: NameWord[][] = [];
  let run: NameWord[] = [];
  let previousEnd = 0;
  const finish = (): void => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  for (const [index, match] of [...text.matchAll(TOKEN)].entries()) {
    const token = match[0].replace(ELISION, "");
    const start = match.index + match[0].length - token.length;
    const gap = text.slice(previousEnd, start);
    previousEnd = match.index + match[0].length;
    const isName = /^\p{Lu}[\p{L}'’&.-]*$/u.test(token) && !/^\p{Lu}$/u.test(token.replace(".", ""));
    if (!isName || (run.length > 0 && gap !== " ")) finish();
    if (!isName) continue;
    const word = token.replace(/\.$/, "");
    run.push({
      text: word,
      start,
      folded: foldName(word),
      isInitial: index === 0 || beginsAnew(text, start, isRow, gap),
    });
  }
  finish();
  return runs;
}

function beginsAnew(text: string, start: number, isRow: boolean, gap: string): boolean {
  if (isRow && gap.includes("|")) return true;
  const before = text.slice(Math.max(0, start - 12), start);
  return /[.:!?–—|(/„“«"]\s*$/.test(before) && !/\p{L}\.\s*$/u.test(before.slice(-3));
}

/** Endings of a plural, and of a word in -y. */
const ENDINGS = ["", "s", "es", "n", "en", "e"];

/** Whether folded words, between spaces, have a folded label, in the singular or the plural: `bakers` has `baker`. */
export function hasLabel(words: string, label: string): boolean {
  if (label.length < 2) return false;
  const forms = [label, label.replace(/(?<=\p{L}{3})s$/u, ""), label.replace(/(?<=\p{L}{2})y$/u, "ie")];
  const isWord = /\p{L}{3}$/u.test(label);
  return forms.some((form) =>
    (isWord ? ENDINGS : [""]).some((ending) => words.includes(` ${form}${ending} `)),
  );
}

/** The part of a word that inflection leaves. */
export function stemOf(word: string): string {
  return word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word;
}
