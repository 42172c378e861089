const MARK =
  /[ \t]{0,3}\[(?:\^[\w-]{1,64}|(?:\d{1,4}|(?:chart|result)-\w{1,32})(?:[,;] ?\d{1,4}){0,20})\](?![(\w])/g;
/** A line of a list of sources, such as `[1] Travel policy, p. 4: “Trains first.”`, or a footnote. */
const SOURCE_LINE = /^[ \t]{0,8}(?:[-*][ \t]{1,3})?\[(?:\^[\w-]{1,64}|\d{1,4})\](?!\():?[ \t]/;
/** A statement that a source line of a deck quotes. */
const SQL = /\bSELECT\b.{1,20000}\bFROM\b/s;
/** The number of a slide among several with one title. */
const COUNTER = /[ \t]\(\d{1,3}\/\d{1,3}\)$/;
const QUOTES = /“[^“”]{2,600}”|„[^“”„]{2,600}[“”]|«[^«»]{2,600}»|"[^"]{2,600}"/g;

/**
 * A text without what is no claim: citation marks and footnotes, which name sources of whoever wrote it, SQL, and
 * numbers of slides. Of a line in a list of sources its quotes are kept.
 */
export function stripMarks(text: string): string {
  return text
    .split("\n")
    .filter((line) => !SQL.test(line))
    .map((line) =>
      SOURCE_LINE.test(line)
        ? (line.match(QUOTES) ?? []).map((quote) => `\n${quote}\n`).join("")
        : line.replaceAll(MARK, "").replace(COUNTER, ""),
    )
    .join("\n");
}
