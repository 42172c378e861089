/** A heading, a row of a table, or a rule. */
const NO_SENTENCE = /^\s{0,3}(?:#{1,6}\s|\||[-*_=]{3,}\s*$)/;
const MIN_WORDS = 2;

/** Counts the sentences of a text that are not among its claims. */
export function countUnchecked(text: string, claims: readonly string[]): number {
  let rest = "";
  let from = 0;
  for (const claim of claims) {
    const at = text.indexOf(claim, from);
    if (at < 0) continue;
    rest += `${text.slice(from, at)}\n\n`;
    from = at + claim.length;
  }
  rest += text.slice(from);
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  return rest
    .split(/\n{2,}|\n(?=\s{0,8}(?:[-*+]|\d{1,3}[.)])\s)/)
    .map((block) =>
      block
        .split("\n")
        .filter((line) => !NO_SENTENCE.test(line))
        .join(" "),
    )
    .flatMap((block) => [...segmenter.segment(block)])
    .filter(({ segment }) => (segment.match(/\p{L}{2,}/gu)?.length ?? 0) >= MIN_WORDS).length;
}

/** `12 sentences state nothing that can be compared`; empty where there is none. */
export function uncheckedText(count: number): string {
  if (count === 0) return "";
  return count === 1
    ? "1 sentence states nothing that can be compared"
    : `${count} sentences state nothing that can be compared`;
}
