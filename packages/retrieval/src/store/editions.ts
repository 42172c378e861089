import { isPlaceholderTitle } from "../parse/placeholder-title.ts";
import { wordKey, words } from "../text/words.ts";

/** What is compared to tell which of two editions of a document is the later one. */
export interface EditionRow {
  readonly title: string;
  readonly source: string;
  readonly published?: string;
  readonly version?: string;
  readonly supersedes: readonly string[];
  readonly withdrawn: boolean;
}

const EDITION_WORDS = new Set(
  `version versions ver v rev revision revised edition draft final old new newer updated update current superseded archived
withdrawn obsolete of the and from effective valid january february march april may june july august september october
november december jan feb mar apr jun jul aug sep sept oct nov dec`.split(/\s+/),
);

/** Reports of a period are not editions of each other: the one of 2024 does not replace that of 2023. */
const PERIODIC =
  /\b(?:report|results|minutes|review|newsletter|accounts|statement|survey|budget|forecast|q[1-4])\b/i;

/**
 * A key that editions of one document share: its title without numbers, dates and words like "draft". For a
 * placeholder title, such as `(anonymous)` or `Report 2024`, the key is made of the name of the file.
 */
export function familyOf(title: string, source: string): string {
  const key = keyOf(title);
  if (key === "" || isPlaceholderTitle(title) || isPlaceholderTitle(editionless(title).join(" "))) {
    const file = keyOf(source);
    return file === "" || isPlaceholderTitle(editionless(source).join(" ")) ? source.toLowerCase() : file;
  }
  return PERIODIC.test(title) ? `${key} ${(/\b(?:19|20)\d{2}\b/.exec(title)?.[0] ?? "").trim()}`.trim() : key;
}

function keyOf(title: string): string {
  return editionless(title).map(wordKey).join(" ");
}

/** Words of a title that are the same in each edition. */
function editionless(title: string): readonly string[] {
  return words(title.replace(/\.[a-z]{2,5}$/i, "")).filter(
    (word) => !EDITION_WORDS.has(word) && !/^v?\d+(?:st|nd|rd|th)?$/.test(word),
  );
}

/**
 * True when `other`, taken alone with `one`, is a later edition of it; the two are known to be of one
 * family or to name each other. Not transitive: see `newestOf`.
 */
export function isNewer(other: EditionRow, one: EditionRow): boolean {
  if (isLaterDay(other, one)) return true;
  if (isLaterDay(one, other)) return false;
  if (names(other, one)) return true;
  if (names(one, other)) return false;
  return compareVersions(other.version, one.version) > 0;
}

/** By withdrawal and by day, as far as both are exact: 2025 is not later than 2025-03, and nothing than no date. */
export function isLaterDay(other: EditionRow, one: EditionRow): boolean {
  if (other.withdrawn !== one.withdrawn) return one.withdrawn;
  const [theirs, ours] = [other.published ?? "", one.published ?? ""];
  const length = Math.min(theirs.length, ours.length);
  return theirs.slice(0, length) > ours.slice(0, length);
}

/** `one` says in so many words that it replaces `other`. */
export function names(one: EditionRow, other: EditionRow): boolean {
  return one.supersedes.some((text) => {
    const said = new Set(words(text).map(wordKey));
    const title = isPlaceholderTitle(other.title) ? [] : words(other.title).map(wordKey);
    const file = words(
      other.source
        .replace(/\.\w+$/, "")
        .split("/")
        .at(-1) ?? "",
    ).map(wordKey);
    return [title, file].some(
      (wanted) => wanted.length >= 2 && wanted.every((word) => said.has(word)) && one.title !== other.title,
    );
  });
}

function compareVersions(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return 0;
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
