import { findDates } from "../text/dates.ts";
import type { Edition } from "./parsed-document.ts";

/** How much of a document's beginning is searched: what it says about itself stands on page 1. */
const HEAD_CHARS = 2_500;

const VERSION = /\b(?:version|ver\.|revision|rev\.|edition|v)[ :.]{0,3}(\d{1,3}(?:\.\d{1,3}){0,3})\b/i;
/** A line that starts with it says it of the document, not of some product. */
const VERSION_LINE = /^(?:version|revision|edition)[ :|.]{1,3}(\d{1,3}(?:\.\d{1,3}){0,3})\b/im;
const DATE_WORD =
  /\b(?:published|publication date|issued|issue date|effective|in force|valid from|applies from|approved|adopted|last updated|updated|revised|dated|date)\b/gi;
const SUPERSEDES =
  /\b(?:supersedes|superseding|replaces)\b:?\s+(?:and \w+ )?(?:the |our |all )?([^.;\n]{3,140})/gi;
const WITHDRAWN =
  /\b(?:has been (?:superseded|replaced|withdrawn)|(?:is )?superseded by|replaced by|no longer (?:in force|valid|applies)|status[: |]+(?:superseded|withdrawn|archived|obsolete|expired))\b/i;
const DATE_KEYS = [
  "published",
  "date",
  "issued",
  "effective",
  "effective date",
  "valid from",
  "updated",
  "last updated",
];

/**
 * What a document says of its edition: front matter first, then its first page, then its title and
 * file name. Nothing is taken from file times, which say when a copy was made.
 */
export function detectEdition(input: {
  readonly fileName: string;
  readonly title: string;
  readonly properties: { readonly [name: string]: string };
  readonly text: string;
}): Edition {
  const { properties, title, fileName } = input;
  const head = input.text.slice(0, HEAD_CHARS);
  const named = `${title}\n${fileName.replace(/[_-]+/g, " ").replace(/\.\w+$/, "")}`;
  const published = dateOfProperties(properties) ?? dateBesideWord(head) ?? dateOf(named) ?? dateLine(head);
  const version =
    versionOf(properties["version"]) ??
    versionOf(properties["revision"]) ??
    VERSION_LINE.exec(head)?.[1] ??
    VERSION.exec(named)?.[1] ??
    VERSION.exec(head)?.[1];
  const stated = properties["supersedes"] ?? properties["replaces"];
  const status = properties["status"] ?? "";
  return {
    ...(published === undefined ? {} : { published }),
    ...(version === undefined ? {} : { version }),
    supersedes:
      stated === undefined
        ? [...head.matchAll(SUPERSEDES)].map((match) => (match[1] ?? "").trim())
        : [stated],
    withdrawn:
      /^(?:superseded|withdrawn|archived|obsolete|expired)/i.test(status) ||
      "superseded by" in properties ||
      WITHDRAWN.test(head),
  };
}

function dateOfProperties(properties: { readonly [name: string]: string }): string | undefined {
  for (const key of DATE_KEYS) {
    const value = properties[key];
    const date = value === undefined ? undefined : dateOf(value);
    if (date !== undefined) return date;
  }
  return undefined;
}

/** The first date, else the first year of this century or the last. */
function dateOf(text: string): string | undefined {
  return findDates(text)[0]?.iso ?? /(?<!\d)(?:19|20)\d{2}(?!\d)/.exec(text)?.[0];
}

function dateBesideWord(head: string): string | undefined {
  for (const word of head.matchAll(DATE_WORD)) {
    const after = head.slice(word.index, word.index + word[0].length + 40).split("\n")[0] ?? "";
    const date = findDates(after)[0]?.iso;
    if (date !== undefined) return date;
  }
  return undefined;
}

/** A line near the top that is hardly more than a date. In a header or footer it says when it was printed or expires. */
function dateLine(head: string): string | undefined {
  for (const line of head.slice(0, 600).split("\n")) {
    const date = line.length <= 60 && !/^(?:Header|Footer): /.test(line) ? findDates(line)[0] : undefined;
    if (date) return date.iso;
  }
  return undefined;
}

function versionOf(value: string | undefined): string | undefined {
  return value === undefined ? undefined : /\d{1,3}(?:\.\d{1,3}){0,3}/.exec(value)?.[0];
}
