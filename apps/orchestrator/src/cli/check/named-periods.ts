import { folded } from "./words.ts";

/** Years, quarters and months, from 1, that a sentence names. */
export interface NamedPeriods {
  readonly years: readonly number[];
  readonly quarters: readonly number[];
  readonly months: readonly number[];
}

const YEAR = /(?<![\p{L}\d]|\d[.,])(?:19|20)\d\d(?![\p{L}\d]|[.,]\d)/gu;
const QUARTER =
  /(?<![\p{L}\d])(?:q([1-4])|([1-4])(?:st|nd|rd|th|\.|er|e|eme)? (?:quarter|quartal|trimest)|(first|second|third|fourth|last|erste|zweite|dritte|vierte|premier|deuxieme|troisieme|quatrieme)[nrsm]? (?:quarter|quartal|trimest))/gu;
const ORDINALS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  last: 4,
  erste: 1,
  zweite: 2,
  dritte: 3,
  vierte: 4,
  premier: 1,
  deuxieme: 2,
  troisieme: 3,
  quatrieme: 4,
};
const LOCALES = ["en", "de", "fr", "es"];
const MONTHS: ReadonlyMap<string, number> = new Map(
  LOCALES.flatMap((locale) =>
    Array.from({ length: 12 }, (_, month) => {
      const date = new Date(Date.UTC(2024, month, 15));
      const name = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" }).format(date);
      return [folded(name), month + 1] as const;
    }),
  ),
);

export function periodsNamed(sentence: string): NamedPeriods {
  const text = folded(sentence);
  const quarters = [...text.matchAll(QUARTER)].map(
    ([, short, digit, word = ""]) => Number(short ?? digit ?? 0) || (ORDINALS[word] ?? 0),
  );
  const words = text.match(/[\p{L}\d]+/gu) ?? [];
  const months = words.flatMap((word, at) => {
    const month = MONTHS.get(word);
    const isDated =
      /^(?:19|20)\d\d$/.test(words[at + 1] ?? "") || /^(?:in|im|en|of)$/.test(words[at - 1] ?? "");
    return month !== undefined && isDated ? [month] : [];
  });
  return {
    years: [...new Set((sentence.match(YEAR) ?? []).map(Number))],
    quarters: [...new Set(quarters)],
    months: [...new Set(months)],
  };
}

const DAY = /\b\d{1,2}(?:st|nd|rd|th|\.)?\s+(?=\p{L}{3,12}\.?\s+(?:19|20)\d\d)/gu;
const NUMERIC_DATE = /\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b|\b\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d\b/g;

/** Whether a text has no number at all, or one that is not part of a date or year. */
export function saysMoreThanDates(text: string): boolean {
  if (!/\d/.test(text)) return true;
  return /\d/.test(text.replaceAll(NUMERIC_DATE, "").replaceAll(DAY, "").replaceAll(YEAR, ""));
}
