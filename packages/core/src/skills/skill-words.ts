/** Of a text that speaks of skills, so much is read: a card is a stranger's. */
const MAX_READ = 4_000;
/** Words of any request: they say nothing of what it is about. */
const COMMON = new Set(
  "what which who whom when where why how does have has had was were are with from into that this these those they our your their about show make give tell list find query answer question result for and the say said can will would should could each per most more best much many".split(
    " ",
  ),
);

/** Words of three letters or more that say something, without the plural's s. */
export function skillWords(text: string): ReadonlySet<string> {
  const words =
    text
      .slice(0, MAX_READ)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(
    words
      .filter((word) => !COMMON.has(word))
      .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word)),
  );
}
