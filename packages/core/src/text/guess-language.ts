/** Common words that are hardly used in the other languages. */
const LANGUAGE_WORDS: { readonly [language: string]: ReadonlySet<string> } = {
  English: new Set(
    "the of and what which how with for from our does is are show make about by many".split(" "),
  ),
  German: new Set(
    "der die das und ist wie welche mit für von unser unsere zeige eine einen wir nicht über nach".split(" "),
  ),
  French: new Set(
    "le la les des et est quel quelle quels avec pour nous notre nos une dans sur combien".split(" "),
  ),
  Spanish: new Set(
    "el los las y qué cuál con para por nuestro nuestra una cómo cuántos sobre del".split(" "),
  ),
  Swedish: new Set("och är vad vilka hur med från våra vår ett en visa av på som".split(" ")),
};
const MIN_LANGUAGE_WORDS = 2;

/** English name of the language that most common words of a text belong to; undefined with fewer than two such words, or at a tie. */
export function guessLanguage(text: string): string | undefined {
  const words =
    text
      .slice(0, 2_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const [first, second] = Object.entries(LANGUAGE_WORDS)
    .map(([language, known]) => ({ language, count: words.filter((word) => known.has(word)).length }))
    .toSorted((a, b) => b.count - a.count);
  if (first === undefined || first.count < MIN_LANGUAGE_WORDS || first.count === second?.count)
    return undefined;
  return first.language;
}
