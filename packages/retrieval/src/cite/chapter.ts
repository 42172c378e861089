import type { SearchHit } from "../retriever.ts";
import { contentKeys } from "../text/words.ts";

/** Hits in documents about the subject that are in force: no newer edition, not withdrawn. */
export function hitsAbout(hits: readonly SearchHit[], subject: string): readonly SearchHit[] {
  const keys = contentKeys(subject);
  return inForce(hits).filter((hit) => covers(contentKeys(hit.citation.document), keys));
}

export function inForce(hits: readonly SearchHit[]): readonly SearchHit[] {
  return hits.filter((hit) => hit.newerVersion === undefined && !hit.withdrawn);
}

/** Those of them that stand in a chapter on the aspect. */
export function chapterHits(
  hits: readonly SearchHit[],
  subject: string,
  aspect: string,
): readonly SearchHit[] {
  return inChapter(hitsAbout(hits, subject), aspect).map(({ hit }) => hit);
}

/** Without the introduction of the chapter where it has sections: it says less than they do. */
export function chapterBody(
  hits: readonly SearchHit[],
  subject: string,
  aspect: string,
): readonly SearchHit[] {
  const depths = inChapter(hitsAbout(hits, subject), aspect);
  const sections = depths.filter(({ below }) => below > 0);
  return (sections.length > 1 ? sections : depths).map(({ hit }) => hit);
}

function inChapter(
  hits: readonly SearchHit[],
  aspect: string,
): readonly { readonly hit: SearchHit; readonly below: number }[] {
  const keys = contentKeys(aspect);
  return hits.flatMap((hit) => {
    const at = hit.sectionPath.findIndex((heading) => meets(contentKeys(heading), keys));
    return at === -1 ? [] : [{ hit, below: hit.sectionPath.length - 1 - at }];
  });
}

/** A title is about a subject when it holds most of the words they could share. */
function covers(title: ReadonlySet<string>, subject: ReadonlySet<string>): boolean {
  const shared = [...subject].filter((key) => title.has(key)).length;
  return shared >= 1 && shared >= Math.min(2, subject.size);
}

/** Whether two sets of words have one in common. */
export const meets = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...other].some((key) => one.has(key));
