import { sectionAt } from "../chunk/sections.ts";
import type { SearchHit } from "../retriever.ts";
import { contentKeys } from "../text/words.ts";

/** Something in a document that knows the headings above it, highest first. */
export interface Placed {
  readonly path: readonly string[];
}

/** Hits in documents about the subject that are in force: no newer edition, not withdrawn. */
export function hitsAbout(hits: readonly SearchHit[], subject: string): readonly SearchHit[] {
  const keys = contentKeys(subject);
  return inForce(hits).filter((hit) => covers(contentKeys(hit.citation.document), keys));
}

function inForce(hits: readonly SearchHit[]): readonly SearchHit[] {
  return hits.filter((hit) => hit.newerVersion === undefined && !hit.withdrawn);
}

/** What stands in a chapter on the aspect: one of the headings above it has a word of it. */
export function inChapter<T extends Placed>(items: readonly T[], aspect: string): readonly T[] {
  return withDepth(items, aspect).map(({ item }) => item);
}

/** The same without the introduction of the chapter where it has sections: it says less than they do. */
export function chapterBody<T extends Placed>(items: readonly T[], aspect: string): readonly T[] {
  const all = withDepth(items, aspect);
  const sections = all.filter(({ below }) => below > 0);
  return (sections.length > 1 ? sections : all).map(({ item }) => item);
}

/**
 * What to search for to have the whole chapter: the title of the document and the heading. A search
 * for the subject brings only the passages that match it best. Undefined where there is no chapter.
 */
export function chapterQuery(
  hits: readonly SearchHit[],
  subject: string,
  aspect: string,
): string | undefined {
  const places = hitsAbout(hits, subject).flatMap((hit) =>
    hit.sections.map(({ path }) => ({ path, document: hit.citation.document })),
  );
  const [first] = withDepth(places, aspect);
  if (first === undefined) return undefined;
  const { item, below } = first;
  return `${item.document} ${item.path[item.path.length - 1 - below] ?? ""}`;
}

interface InChapter<T> {
  readonly item: T;
  /** How many headings lie between the chapter's and the item's own. */
  readonly below: number;
}

/**
 * What stands under a heading with a word of the aspect. A chapter comes before a section of another one
 * that has the word too; a chapter on two things, "Budget and people", is read in the sections that name
 * the aspect, where some do.
 */
function withDepth<T extends Placed>(items: readonly T[], aspect: string): readonly InChapter<T>[] {
  const keys = contentKeys(aspect);
  const met = items.flatMap((item) => {
    const at = item.path.findIndex((heading) => meets(contentKeys(heading), keys));
    return at === -1 ? [] : [{ item, at, below: item.path.length - 1 - at }];
  });
  const highest = new Map<string, number>();
  for (const { item, at } of met)
    highest.set(item.path[0] ?? "", Math.min(at, highest.get(item.path[0] ?? "") ?? at));
  const placed = met.filter(({ item, at }) => at === highest.get(item.path[0] ?? ""));
  const named = ({ item, at }: (typeof placed)[number]): boolean =>
    item.path.slice(at + 1).some((heading) => [...contentKeys(heading)].some((key) => isAkin(key, keys)));
  const chapters = new Set(placed.filter(named).map(chapterOf));
  return placed.filter((one) => {
    const heading = one.item.path[one.at] ?? "";
    return !JOINS.test(heading) || !chapters.has(chapterOf(one)) || named(one);
  });
}

const chapterOf = ({ item, at }: { readonly item: Placed; readonly at: number }): string =>
  item.path.slice(0, at + 1).join("\0");

/** A heading that names two things. */
const JOINS = /\p{L}\s*(?:,|&|\/|\band\b)\s*\p{L}/iu;
/** Letters that two forms of a word begin with: governance, governed. */
const STEM = 6;

const isAkin = (key: string, keys: ReadonlySet<string>): boolean =>
  keys.has(key) ||
  (key.length >= STEM && [...keys].some((other) => other.slice(0, STEM) === key.slice(0, STEM)));

/** The headings above an offset of a passage. */
export const pathAt = (hit: SearchHit, offset: number): readonly string[] => sectionAt(hit.sections, offset);

/** A title is about a subject when it holds most of the words they could share. */
function covers(title: ReadonlySet<string>, subject: ReadonlySet<string>): boolean {
  const shared = [...subject].filter((key) => title.has(key)).length;
  return shared >= 1 && shared >= Math.min(2, subject.size);
}

/** Whether two sets of words have one in common. */
export const meets = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...other].some((key) => one.has(key));
