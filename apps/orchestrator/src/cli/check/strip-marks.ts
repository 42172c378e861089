import { findReferences } from "@troupe/stream";

const MARK =
  /[ \t]{0,3}\[(?:\^[\w-]{1,64}|(?:\d{1,4}|(?:chart|result)-\w{1,32})(?:[,;] ?\d{1,4}){0,20})\](?![(\w])/g;
/** A line that begins with a mark, such as `[1] Travel policy, p. 4: “Trains first.”`, or a footnote. */
const MARKED_LINE = /^[ \t]{0,8}(?:[-*][ \t]{1,3})?\[(?:\^[\w-]{1,64}|\d{1,4})\](?!\():?[ \t]/;
const DEFINITION = /^[ \t]{0,8}(?:[-*][ \t]{1,3})?\[(?:\^[\w-]{1,64}\]|\d{1,4}\]:)/;
const SOURCES_HEADING =
  /^[#*\s]{0,8}(?:sources?|references?|citations|footnotes|bibliograph\w{1,4}|quellen|literatur|belege|nachweise|fußnoten|fuentes|fonti|bronnen|fontes)[:*\s]{0,8}$/i;
/** A page, section, address, file or quote. */
const PLACE =
  /,\s(?:pp?|pages?|s|seiten?)\.?\s?\d|§|https?:|\.(?:pdf|md|docx|xlsx|pptx|csv|html?|txt)\b|[“„«"]/i;
const YEARS = /(?<![\d.,])(?:19|20)\d\d(?![\d%]|[.,]\d)/g;

/** Whether a line that begins with a mark names a source, and states nothing: `[2] Annual Report 2025`. */
function namesSource(line: string, inSources: boolean): boolean {
  if (!MARKED_LINE.test(line)) return false;
  const text = line.replace(MARKED_LINE, "");
  const isTitle = !/[.!?][\s\])]*$/.test(text) && !/\d/.test(text.replaceAll(YEARS, ""));
  return inSources || DEFINITION.test(line) || PLACE.test(text) || isTitle;
}

/** A statement that a source line of a deck quotes. */
const SQL = /\bSELECT\b.{1,20000}\bFROM\b/s;
/** The number of a slide among several with one title. */
const COUNTER = /[ \t]\(\d{1,3}\/\d{1,3}\)$/;
const QUOTES = /“[^“”]{2,600}”|„[^“”„]{2,600}[“”]|«[^«»]{2,600}»|"[^"]{2,600}"/g;

/** Without marks in other forms, such as `[Source 3]` and `[3†source]`. */
function withoutReferences(line: string): string {
  let text = "";
  let at = 0;
  for (const { start, end } of findReferences(line, { isKnown: () => false })) {
    text += line.slice(at, start).replace(/[ \t]{1,3}$/, "");
    at = end;
  }
  return text + line.slice(at);
}

/**
 * Removes what makes no claim: citation marks and footnotes, which name sources of the author, SQL, and numbers of
 * slides. Of a line in a list of sources the quotes stay.
 */
export function stripMarks(text: string): string {
  let inSources = false;
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    if (SQL.test(line)) continue;
    const isSource = namesSource(line, inSources);
    if (line.trim() !== "") inSources = isSource ? inSources : SOURCES_HEADING.test(line);
    kept.push(
      isSource
        ? (line.match(QUOTES) ?? []).map((quote) => `\n${quote}\n`).join("")
        : withoutReferences(line.replaceAll(MARK, "")).replace(COUNTER, ""),
    );
  }
  return kept.join("\n");
}
