import { fold, once } from "./fold.ts";

/** Function words that are frequent in one of the languages and rare in the others, folded. */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: "under after before since while when if during without within between among despite although because however also both all each most many some several these those there here they he she we you his her their our its no only even still then so but nor in one such other more less total the of and to is are was were with by from for has have not this that which its at on be or as than it an",
  de: "beim vom ins ans jede jeder jedes jedem jeden manche einige viele mehrere welche solche ihr ihre ihrem ihren ihrer ihres ihnen sie wir uns unser unsere nach vor unter uber ohne wahrend zwischen alle beide diese dieser wie laut gegen ab bis aber doch nur der die das und ist sind war wurde mit von dem den fur nicht auf ein eine bei zu im sich auch je als seit zum zur am wird werden",
  fr: "apres avant sous depuis sans pendant chez cette ces deux tous toutes mais le les la des une est sont et du dans pour par sur au aux avec plus qui que ne pas selon ce cette entre ont ete il sur soit",
  es: "el los las una es son y del por con para en se que mas fue este esta segun como su al",
  it: "il gli della delle dei di che e per con una sono nel alla piu non dal si anche come",
  nl: "het een van en zijn werd met voor niet op bij is dat deze wordt naar aan ook dan",
  pt: "o os as uma sao e do da dos das por com para em que mais foi nao este segundo ao no na",
};

/** `en` of `en-US`, as `guessLanguage` gives it. */
export function primaryLanguage(tag: string | undefined): string | undefined {
  return tag?.split(/[-_]/, 1)[0]?.toLowerCase();
}

const MAX_WORDS = 400;

const sets = once(
  () =>
    new Map(Object.entries(FUNCTION_WORDS).map(([language, words]) => [language, new Set(words.split(" "))])),
);

/** Whether a folded word is an article, preposition or the like in one of the languages. */
export function isFunctionWord(word: string): boolean {
  return [...sets().values()].some((words) => words.has(word));
}

/**
 * The language of a text by its most frequent function words; undefined where none leads. `fallback` decides between
 * languages that are as likely.
 */
export function guessLanguage(text: string): string | undefined {
  const words =
    fold(text.slice(0, 4000))
      .match(/\p{L}+/gu)
      ?.slice(0, MAX_WORDS) ?? [];
  let best: string | undefined;
  let bestCount = 0;
  let second = 0;
  for (const [language, known] of sets()) {
    const count = words.reduce((sum, word) => sum + (known.has(word) ? 1 : 0), 0);
    if (count > bestCount) {
      second = bestCount;
      best = language;
      bestCount = count;
    } else if (count > second) {
      second = count;
    }
  }
  return bestCount > second ? best : undefined;
}

/** The decimal separator that numbers of a text show where only one reading is possible: `12,5 %`, `1,450.50`. */
export function shownDecimalSeparator(text: string): "." | "," | undefined {
  const count = { ".": 0, ",": 0 };
  for (const match of text.matchAll(
    /(?<![\p{L}\d.,])\d{1,9}(?:([.,])\d{3})*(?:([.,])(\d{1,9}))?(?![\d.,]\d|\d|[.,]\d)/gu,
  )) {
    const [, group, separator, digits = ""] = match;
    if (separator === "." || separator === ",") {
      if (digits.length !== 3 || (group !== undefined && group !== separator)) count[separator]++;
    }
  }
  if (count["."] === count[","]) return undefined;
  return count["."] > count[","] ? "." : ",";
}

/**
 * Language by which the figures of an answer are read. Its words decide, then the numbers whose format leaves one
 * reading, in the answer and in the evidence.
 */
export function answerLanguage(answer: string, evidence: readonly string[]): string | undefined {
  const byWords = guessLanguage(answer);
  if (byWords !== undefined) return byWords;
  const shown = shownDecimalSeparator(answer);
  const ofEvidence = guessLanguage(evidence.join("\n").slice(0, 4000));
  if (shown === ".") return "en";
  if (shown === ",") return ofEvidence === undefined || ofEvidence === "en" ? "de" : ofEvidence;
  return ofEvidence;
}
