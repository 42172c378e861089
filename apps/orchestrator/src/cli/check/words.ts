/** The first letters of each word, so that inflections count as one. */
export function prefixesOf(text: string): ReadonlySet<string> {
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.map((word) => word.slice(0, 6)));
}

/** The words of a text in lower case without accents, between single spaces. */
export function foldedWords(text: string): string {
  return (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

/** Lower case, without accents. */
export function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** Numbers as they are written. */
export function numbersOf(text: string): readonly string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}

/** Lines of a text, split behind what ends a sentence. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/\n|(?<=[.!?;])\s/).filter((one) => one.trim() !== "");
}
