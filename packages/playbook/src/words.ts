/** Words that name no subject, in the three languages in which requests are read. */
const FUNCTION_WORDS = new Set(
  (
    "a about all an and any are as at be been being by can could did do does each every for from get give had has have " +
    "how i in into is it its just let like look many may me much my need of on one or our please shall should show tell that " +
    "the their them there these they this those to us want was we were what when where which while who whom whose will " +
    "with would you your find list say says said some here then also both etc per over via based using according know " +
    "der die das den dem des ein eine einen einem einer eines und oder von vom zu zum zur mit für auf aus bei in im ist " +
    "sind war waren was wer wie wo wann welche welcher welches welchen wir uns unser unsere unserem unseren unserer ich " +
    "es sie er bitte zeige zeig nenne gib mir über nach pro je an am als auch dass sagt sagen steht gibt hat haben hatte " +
    "le la les un une des du de et ou à au aux en dans sur pour par avec est sont était que quel quelle quels quelles qui " +
    "quoi où quand comment nous notre nos vous je il elle ils elles montre montrez donne donnez dit disent selon s d l"
  ).split(" "),
);

/** A word of a request, as written and as compared. */
export interface Word {
  readonly raw: string;
  readonly folded: string;
}

/** Letters, digits and the signs that join them, without a possessive ending. */
export function wordsOf(text: string): readonly Word[] {
  const found = text.normalize("NFC").match(/[\p{L}\p{N}]+(?:[-.'’/&][\p{L}\p{N}]+)*/gu) ?? [];
  return found.map((word) => {
    const raw = word.replace(/['’]s$/i, "").replace(/^[ldLD]['’]/, "");
    return { raw, folded: raw.toLowerCase() };
  });
}

export function isFunctionWord({ folded }: Word): boolean {
  return FUNCTION_WORDS.has(folded);
}

/** The words of a text that are no function words, each once, without those of `ignored`. */
export function contentWords(text: string, ignored: ReadonlySet<string> = new Set()): readonly Word[] {
  const kept = wordsOf(text).filter((word) => !isFunctionWord(word) && !ignored.has(word.folded));
  return [...new Map(kept.map((word) => [word.folded, word])).values()];
}

const ENDING = /(?:ing|ed|en|er|e|n|y)$/;
const MIN_STEM = 3;

/** Without a common ending, so that `regions` and `region`, `approved` and `approves` are one word. */
export function stem(folded: string): string {
  const cut = folded
    .replace(/ies$/, "y")
    .replace(/(?<=[^s])s$/, "")
    .replace(ENDING, "");
  return cut.length < MIN_STEM || /\d/.test(folded) ? folded : cut;
}

/** Whether two nouns are the same except for a plural ending. */
export function sameNoun(a: string, b: string): boolean {
  return a === b || singular(a) === singular(b);
}

const singular = (folded: string): string =>
  folded.length < MIN_STEM + 1
    ? folded
    : folded
        .replace(/ies$/, "y")
        .replace(/(?<=s|x|ch|sh)es$/, "")
        .replace(/(?<=[^su])s$/, "");

export function sameWord(a: string, b: string): boolean {
  return a === b || (a.length > MIN_STEM && b.length > MIN_STEM && stem(a) === stem(b));
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}

/** With a capital at its beginning. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The one sentence for what fixed rules cannot do, such as `Comparing two documents`. */
export function takesModel(what: string): string {
  return `${what} takes a model: set ANTHROPIC_API_KEY, or OPENAI_BASE_URL and TROUPE_MODEL.`;
}

/** The same in an answer, as commands: names of settings in prose would be claims without a source. */
export function answerTakesModel(what: string): string {
  return `${what} takes a model. Set one of these:\n\n\`\`\`sh\nexport ANTHROPIC_API_KEY=...\nexport OPENAI_BASE_URL=... TROUPE_MODEL=...\n\`\`\``;
}
