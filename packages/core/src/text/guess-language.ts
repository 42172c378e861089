/** Function words and words of requests that are frequent in one of the languages and rare in the others. */
const LANGUAGE_WORDS: Readonly<Record<string, string>> = {
  English:
    "the of and to is are was were with by from for has have not this that which its at on be or as than it an what how our does a i do did we you who when why show make about many",
  German:
    "der die das und ist sind wurde mit von dem den für nicht auf ein eine einen bei zu im sich auch als zum zur am wird wie welche unser unsere zeige wir über nach",
  French:
    "le la les des une est sont et en du dans pour par sur au aux avec qui que ne pas selon cette entre ont il quel quelle quels nous notre nos combien",
  Spanish:
    "el los las una es son y del por con para en se que más fue esta según como su al lo qué cuál nuestro nuestra cómo cuántos sobre",
  Italian: "il gli della delle dei di che e per con una sono nel alla più non dal si anche come",
  Dutch: "het een van en zijn werd met voor niet op bij dat deze wordt naar aan ook dan",
  Portuguese: "o os as uma são e do da dos das por com para em que mais foi não este ao no na",
  Swedish:
    "och att det som en på är av för med till den har inte om ett eller men vid ska från vad vilka hur våra vår visa",
  Norwegian: "og å det som en på er av for med til den har ikke om et eller men ved skal fra",
  Polish: "i w na z do nie się jest to że od oraz dla po przez przy są lub jak za",
};

const LANGUAGES_BY_WORD = new Map<string, string[]>();
for (const [language, words] of Object.entries(LANGUAGE_WORDS))
  for (const word of new Set(words.split(" ")))
    LANGUAGES_BY_WORD.set(word, [...(LANGUAGES_BY_WORD.get(word) ?? []), language]);

/** Scripts that mostly one language uses, in the order in which they are tried. */
const SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ["Japanese", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["Korean", /\p{Script=Hangul}/gu],
  ["Chinese", /\p{Script=Han}/gu],
  ["Greek", /\p{Script=Greek}/gu],
  ["Thai", /\p{Script=Thai}/gu],
  ["Hebrew", /\p{Script=Hebrew}/gu],
];
/** Share of the letters above which the script decides. */
const SCRIPT_SHARE = 0.2;
/** UTF-16 units from the start of the text that are read. */
const MAX_CHARS = 6_000;

/**
 * English name of the language of a text, by its script or its frequent words. Undefined at a tie and with fewer than
 * `minWords` such words: a single word of a short text may be a name.
 */
export function guessLanguage(
  text: string,
  { minWords = 2 }: { readonly minWords?: number } = {},
): string | undefined {
  const start = text.slice(0, MAX_CHARS).toLowerCase();
  const script = scriptOf(start);
  if (script !== undefined) return script;
  const counts = new Map<string, number>();
  for (const word of start.match(/\p{L}+/gu) ?? [])
    for (const language of LANGUAGES_BY_WORD.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  const [best, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < minWords || best[1] === second?.[1]) return undefined;
  return best[0];
}

function scriptOf(text: string): string | undefined {
  // All of these scripts have code points from Greek on.
  if (!/[\u0370-\uffff]/.test(text)) return undefined;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return SCRIPTS.find(([, letter]) => (text.match(letter)?.length ?? 0) > letters * SCRIPT_SHARE)?.[0];
}
