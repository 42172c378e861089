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

/** How many headings lie between the chapter's and each item's own. */
function withDepth<T extends Placed>(
  items: readonly T[],
  aspect: string,
): readonly { readonly item: T; readonly below: number }[] {
  const keys = contentKeys(aspect);
  return items.flatMap((item) => {
    const at = item.path.findIndex((heading) => meets(contentKeys(heading), keys));
    return at === -1 ? [] : [{ item, below: item.path.length - 1 - at }];
  });
}

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
