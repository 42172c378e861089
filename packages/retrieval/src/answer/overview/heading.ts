const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/^what does (.{1,60}) cost\?$/i, "What $1 costs"],
  [/^what (?:is|are) (?:an? |the )?(\p{L}[^?]{1,60})\?$/iu, "$1"],
  [/^(?:is|are) there (?:an? |any )?(\p{L}[^?]{1,40})\?$/iu, "$1"],
  [/^do (?:you|we) have (?:an? |any )?(\p{L}[^?]{1,40})\?$/iu, "$1"],
];

/** A question as a heading where that is safe: "Discounts" for "Are there discounts?"; others stay. */
export function plainHeading(heading: string): string {
  for (const [pattern, plain] of PLAIN) {
    if (pattern.test(heading)) {
      const said = heading.replace(pattern, plain);
      return said.charAt(0).toUpperCase() + said.slice(1);
    }
  }
  return heading;
}

export const isQuestion = (heading: string): boolean => heading.trimEnd().endsWith("?");
