import { fold } from "./fold.ts";

const ORDINALS: Readonly<Record<string, string>> = {
  first: "1",
  second: "2",
  third: "3",
  fourth: "4",
  final: "4",
  last: "4",
  erste: "1",
  zweite: "2",
  dritte: "3",
  vierte: "4",
  premier: "1",
  premiere: "1",
  deuxieme: "2",
  troisieme: "3",
  quatrieme: "4",
};

const NUMBER = `([1-4])(?:\\.|st|nd|rd|th|er|ere|re|e|eme|nd)?|(${Object.keys(ORDINALS).join("|")})[nrsm]?`;
const NAMED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${NUMBER})\\s(quarter|quartal|trimest|half|halbjahr|semest)`,
  "gu",
);
const SHORT = /(?<![\p{L}\p{N}])([qht])([1-4])(?![\p{L}\d])/gu;

/** Quarters (`q3`) and halves (`h1`) of a year that a text names, in figures or words. */
export function periodsOf(text: string): ReadonlySet<string> {
  const folded = fold(text);
  const periods = new Set<string>();
  for (const [, digit, word = "", name = ""] of folded.matchAll(NAMED))
    periods.add(`${/^(?:half|halb|sem)/.test(name) ? "h" : "q"}${digit ?? ORDINALS[word] ?? ""}`);
  for (const [, letter, digit = ""] of folded.matchAll(SHORT))
    periods.add(`${letter === "h" ? "h" : "q"}${digit}`);
  return periods;
}

/** The quarter and the half of a month from 1. */
export function periodsOfMonth(month: number): readonly string[] {
  return [`q${Math.ceil(month / 3)}`, `h${Math.ceil(month / 6)}`];
}
